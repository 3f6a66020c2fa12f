"""Logging policies: how they learn, how one log is weighed, and how noisy their returns are."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...checks import Array
from ...data import OfflineData
from ...decision import Decision
from ...paper import claim
from ...rl import SETTINGS, Truth
from ..experiments.robots import BANDS, Row
from ..style import COLOURS, line, readable, spot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "draw_cql_along_its_training",
    "draw_deviations",
    "draw_learning_curves",
    "draw_log_and_mixture",
    "draw_methods_beside_the_best_policy",
]

DASHES = {"sampled": "-", "mean": (0, (4, 1.5))}
LINES = {"low": (0, (2, 2)), "high": "-"}
METHODS: dict[str, dict[str, Any]] = {
    "cloning": spot("behaviour"),
    "greedy": spot("greedy"),
    BANDS["paper"]: spot("trust", markerfacecolor="white", markersize=9),
    BANDS["calibrated"]: spot("trust"),
    "last": spot("estimate", marker=">"),
}


def draw_learning_curves(ax: "Axes", rows: Sequence[Row], env: str) -> None:
    """True value of a robot's logging policies along training, and the paper's scores of TRUST in both settings.

    A thin line for each run, and for each reading a thick one for the mean of the runs that reach the end.
    """
    from matplotlib.patheffects import withStroke

    for reading in sorted({row.reading for row in rows if row.env == env}):
        curves = _curves(rows, env, reading)
        for epochs, values in curves:
            ax.plot(epochs, values, **_look(reading, linewidth=0.7, alpha=0.35))
        longest = max(epochs.size for epochs, _ in curves)
        epochs, mean = np.mean([curve for curve in curves if curve[0].size == longest], axis=0)
        ax.plot(epochs, mean, **_look(reading, linewidth=1.5), label=f"{reading} actions")
    for setting, place in zip(SETTINGS, (100, 1000), strict=True):
        score = claim(f"table3.{env}.{setting}.TRUST").value
        ax.plot(place, score, **spot("trust", markersize=9, markerfacecolor="white", clip_on=False, zorder=5))
        halo = [withStroke(linewidth=3, foreground="white")]
        words = {"ha": "right", "color": readable("trust"), "path_effects": halo}
        ax.annotate(setting, (place, score), (-8, 3), textcoords="offset points", zorder=5, **words)
    ax.set_title(env, loc="left", fontsize=12)
    ax.set(xscale="log", xlim=(1, 1100))
    ax.yaxis.set_major_formatter("{x:,.0f}")
    ax.legend(loc="upper left", fontsize=10)


def _look(reading: str, **more: Any) -> dict[str, Any]:
    return {"color": COLOURS["truth"], "linestyle": DASHES[reading], **more}


def _curves(rows: Sequence[Row], env: str, reading: str) -> list[tuple[Array, Array]]:
    """Epochs and true values along each training run of a robot, by seed."""
    seeds = {run.seed for row in rows if (row.env, row.reading) == (env, reading) for run in row.runs}
    return [_curve(rows, env, reading, seed) for seed in sorted(seeds)]


def _curve(rows: Sequence[Row], env: str, reading: str, seed: int) -> tuple[Array, Array]:
    """Epochs and true values of all policies of a training run, in order."""
    mine = [row for row in rows if (row.env, row.reading) == (env, reading)]
    truths = [run.log.truth for row in mine for run in row.runs if run.seed == seed]
    epochs, first = np.unique(np.concatenate([truth.epochs for truth in truths]), return_index=True)
    return epochs, np.concatenate([truth.values for truth in truths])[first]


def draw_log_and_mixture(ax: "Axes", data: OfflineData, decision: Decision, truth: Truth | None) -> None:
    """Logged returns in the order of the log; what the mixture plays is filled, larger for more weight."""
    place = np.arange(data.n_arms) if truth is None else truth.epochs
    if truth is not None:
        ax.plot(place, truth.values, **line("truth", linewidth=1.2), label="true value")
    ax.plot(place, data.means, **spot("estimate", markersize=4), label="logged return")
    played = decision.weights > 0
    size = 20 + 160 * decision.weights[played] / decision.weights.max()
    label = "in TRUST's mixture"
    ax.scatter(place[played], data.means[played], size, color=COLOURS["trust"], zorder=4, alpha=0.8, label=label)
    ax.set(xlabel="policy", ylabel="return of an episode")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter("{x:,.0f}")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, fontsize=10, handletextpad=0.3, columnspacing=1)


def draw_deviations(ax: "Axes", rows: Sequence[Row], sigma: float) -> None:
    """Standard deviations of the returns within a policy, a box for each row, beside the level the methods are told."""
    found = [np.concatenate([run.log.truth.deviations for run in row.runs]) for row in rows]
    names = [f"{row.name}, {row.reading}" for row in rows]
    looks: dict[str, Any] = {f"{part}props": {"color": COLOURS["noise"]} for part in ("box", "whisker", "cap")}
    looks["medianprops"] = {"color": COLOURS["truth"], "linewidth": 2}
    ax.boxplot(found, orientation="horizontal", whis=(0, 100), tick_labels=names, **looks)
    ax.axvline(sigma, **line("bound"))
    ax.annotate("told", (sigma, 0.5), (0, 2), textcoords="offset points", color=readable("bound"), ha="center")
    ax.set(xscale="log", xlabel="standard deviation of a policy's returns")
    ax.tick_params(axis="y", labelsize=10)
    ax.invert_yaxis()


def draw_methods_beside_the_best_policy(ax: "Axes", rows: Sequence[Row]) -> None:
    """What each method earns over what the best policy is worth, a row of dots for each; CQL where it was trained."""
    for y, row in enumerate(rows):
        for method, look in METHODS.items():
            ax.plot(row.mean(method) / row.mean("best"), y, **look, zorder=3)
        trained = [(run.cql.value, run.best) for run in row.runs if run.cql]
        if trained:  # beside the best policies of the same runs
            ax.plot(np.divide(*np.mean(trained, axis=0)), y, **spot("cql"), zorder=3)
    for method, look in (METHODS | {"CQL": spot("cql")}).items():
        ax.plot([], [], **look, label="greedy = LCB" if method == "greedy" else method)
    ax.axvline(1, **line("truth", linewidth=1.2))
    names = [f"{row.name}, {row.reading}" for row in rows]
    ax.set(yticks=np.arange(len(rows)), yticklabels=names, ylim=(len(rows) - 0.5, -0.5))
    ax.set_xlabel("share of the best policy's value")
    ax.xaxis.set_major_formatter(_percent())
    ax.tick_params(axis="y", labelsize=10)
    ax.legend(loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=3, fontsize=10, handletextpad=0.2, columnspacing=1)


def draw_cql_along_its_training(ax: "Axes", rows: Sequence[Row], env: str) -> None:
    """CQL's scores on a robot's data sets against its updates, and the paper's scores."""
    mine = [row for row in rows if (row.env, row.reading) == (env, "sampled")]
    for row in mine:
        for score in (run.cql for run in row.runs if run.cql):
            x, y = [point.updates / 1_000 for point in score.curve], [point.value for point in score.curve]
            filled = COLOURS["cql"] if row.setting == "high" else "white"
            ax.plot(x, y, **spot("cql", linestyle=LINES[row.setting], markerfacecolor=filled))
        printed = claim(f"table3.{env}.{row.setting}.CQL").value
        ax.axhline(printed, color=COLOURS["cql"], linestyle=LINES[row.setting], linewidth=1.2)
        words = {"color": readable("cql"), "fontsize": 10}
        ax.annotate(f"paper, {row.setting}", (0, printed), (2, 3), textcoords="offset points", **words)
    if not any(run.cql for row in mine for run in row.runs):
        ax.annotate("not trained", (0.5, 0.5), xycoords="axes fraction", ha="center", va="center")
    ax.set_title(env, loc="left", fontsize=12)
    most = max((run.cql.updates for row in rows for run in row.runs if run.cql), default=50_000)
    ax.set_xlim(0, 1.1 * most / 1_000)
    ax.margins(y=0.15)
    ax.yaxis.set_major_formatter("{x:,.0f}")


def _percent() -> Any:
    from matplotlib.ticker import PercentFormatter

    return PercentFormatter(1.0, decimals=0, symbol="\N{NO-BREAK SPACE}%")
