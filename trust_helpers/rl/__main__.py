"""``python -m trust_helpers.rl COMMAND``: make the data of chapter 6 again."""

import sys

from .collector.command import main

if __name__ == "__main__":
    sys.exit(main())
