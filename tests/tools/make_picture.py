"""Draw the README's pictures, the second of them with Chromium: ``make picture``."""

import shutil
import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

from trust_helpers import behaviour_cloning, greedy, instances, lcb, trust
from trust_helpers.book.style import COLOURS, plot_value_and_bound, use_style
from trust_helpers.cli import main as command

OUT = Path(__file__).parents[2] / "book" / "_static"


def report_page():
    """The top of a report, as a browser shows it."""
    from playwright.sync_api import sync_playwright

    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder, "report.html")
        command(["decide", "--example", "prompts", "--baseline", "prompt 07", "--html", str(page)])
        shown = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        seen = shown.new_page(viewport={"width": 860, "height": 840})
        seen.goto(page.as_uri())
        seen.screenshot(path=OUT / "report.png")
        shown.close()


def value_and_bound():
    """Value and guarantee against the radius on the ten-thousand-arm log, with the other methods beside them."""
    use_style()
    instance = instances.data_starved()
    data = instance.sample(np.random.default_rng(0))
    made = trust(data)
    fig, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), width_ratios=[3, 2], layout="constrained")
    plot_value_and_bound(left, made, data, instance.means)
    left.set_title("mix arms, but only as far as the noise allows", fontsize=11)
    methods = [greedy(data), lcb(data), behaviour_cloning(data), made]
    place = np.arange(len(methods))
    right.barh(
        place - 0.2, [instance.value(m.weights) for m in methods], 0.38, color=COLOURS["trust"], label="true value"
    )
    bound = [m.lower_bound if np.isfinite(m.lower_bound) else 0 for m in methods]
    right.barh(place + 0.2, bound, 0.38, color=COLOURS["bound"], label="guaranteed value")
    right.text(0.02, 0.2, "no guarantee", va="center", fontsize=9)
    right.set_yticks(place, ["greedy", "LCB", "behaviour\ncloning", "TRUST"])
    right.set(xlabel="value (reward per play)", title="10,000 arms, one sample each")
    right.title.set_fontsize(11)
    right.invert_yaxis()
    right.legend(fontsize=9, loc="lower left")
    fig.savefig(OUT / "readme.png", dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    value_and_bound()
    report_page()
