"""``python -m trust_helpers COMMAND``, the same as the command ``trust-helpers``."""

from .cli import run

if __name__ == "__main__":
    run()
