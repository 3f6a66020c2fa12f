"""The tables that ``decide --example`` shows, simulated: ``python tests/tools/make_example.py`` writes them again."""

from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parents[2] / "trust_helpers" / "examples"
ADS, GOOD, SEED = 1_000, 100, 2024
PROMPTS, CASES, USED = 24, 150, 7


def clicks():
    """A thousand ads shown 10 to 80 times: a tenth are clicked eight times in a hundred, the others once."""
    rng = np.random.default_rng(SEED)
    rate = np.where(rng.permutation(ADS) < GOOD, 0.08, 0.01)
    shown = rng.integers(10, 81, ADS)
    clicks = rng.binomial(shown, rate)
    lines = [f"ad {i:04d},{k},{n}\n" for i, (k, n) in enumerate(zip(clicks, shown, strict=True), 1)]
    return "ad,clicks,shown\n" + "".join(lines), rate


def prompts():
    """Pass or fail of 24 prompts, of which number 7 is in use, on the same 150 cases, some of them harder than others.

    The truth is how often each prompt passes a case of the same kind.
    """
    rng = np.random.default_rng(SEED)
    skill, hard = rng.normal(0, 0.8, PROMPTS), rng.normal(0, 2, CASES)
    skill[USED] = -0.5
    passed = rng.random((PROMPTS, CASES)) < 1 / (1 + np.exp(hard - skill[:, None]))
    words = np.where(passed, "pass", "fail")
    lines = [f"prompt {i:02d},case {j:03d},{words[i, j]}\n" for i, j in np.ndindex(passed.shape)]
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    rate = (1 / (1 + np.exp(2 * nodes - skill[:, None]))) @ weights / weights.sum()
    return "prompt,case,passed\n" + "".join(lines), rate


if __name__ == "__main__":
    for made in (clicks, prompts):
        (FOLDER / f"{made.__name__}.csv").write_text(made()[0], encoding="utf-8")
