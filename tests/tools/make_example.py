"""The clicks that ``decide --example`` shows, simulated: ``python tests/tools/make_example.py`` writes them again."""

from pathlib import Path

import numpy as np

PATH = Path(__file__).parents[2] / "trust_helpers" / "cli" / "simulated_clicks.csv"
ADS, GOOD, SEED = 200, 20, 2024


def example():
    """200 ads shown 20 to 120 times: twenty are clicked nine times in a hundred, the others twice."""
    rng = np.random.default_rng(SEED)
    rate = np.where(rng.permutation(ADS) < GOOD, 0.09, 0.02)
    shown = rng.integers(20, 121, ADS)
    clicks = rng.binomial(shown, rate)
    lines = [f"ad {i:03d},{k},{n}\n" for i, (k, n) in enumerate(zip(clicks, shown, strict=True), 1)]
    return "ad,clicks,shown\n" + "".join(lines), rate


if __name__ == "__main__":
    PATH.write_text(example()[0])
