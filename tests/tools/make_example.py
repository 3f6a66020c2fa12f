"""The clicks that ``decide --example`` shows, simulated: ``python tests/tools/make_example.py`` writes them again."""

from pathlib import Path

import numpy as np

PATH = Path(__file__).parents[2] / "trust_helpers" / "examples" / "clicks.csv"
ADS, GOOD, SEED = 1_000, 100, 2024


def example():
    """A thousand ads shown 10 to 80 times: a tenth are clicked eight times in a hundred, the others once."""
    rng = np.random.default_rng(SEED)
    rate = np.where(rng.permutation(ADS) < GOOD, 0.08, 0.01)
    shown = rng.integers(10, 81, ADS)
    clicks = rng.binomial(shown, rate)
    lines = [f"ad {i:04d},{k},{n}\n" for i, (k, n) in enumerate(zip(clicks, shown, strict=True), 1)]
    return "ad,clicks,shown\n" + "".join(lines), rate


if __name__ == "__main__":
    PATH.write_text(example()[0], encoding="utf-8")
