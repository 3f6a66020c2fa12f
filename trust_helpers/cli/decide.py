"""The command ``decide``: from a CSV file to a policy, a guarantee and a picture.

All input and every output path are checked before any computation, and output files are written whole or not at all.
"""

import argparse
import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

from ..checks import probability, whole_number
from ..data import OfflineData
from ..errors import DataError, TrustError
from ..extras import has, need
from ..laws.said import Noise as Sigma
from ..logs import Log, read_log
from ..reports import Report, as_dict, as_text, name_of, report
from .files import plan_outputs, write_all

__all__ = ["add_decide"]

OUTPUTS = ("policy", "json", "plot")

KEYS = """
keys of the JSON file:
  log, skipped_rows, arms, samples, samples_per_arm {least, most}, sigma {least, most}, delta,
  band {method, draws, seed}, radius {critical, largest},
  methods [{method, estimate, lower_bound, confidence, support}], lower_bound null where there is no guarantee,
  stein {value, standard_error, exact, nearly_normal} or null, recommended {method, why},
  top [{arm, weight, samples, mean}], assumes

examples:
  python -m trust_helpers decide log.csv --sigma 1.2
  python -m trust_helpers decide ratings.csv --arm lecturer --reward rating --sigma range:1:5 --policy policy.csv
"""


def add_decide(commands: Any) -> None:
    """Add the command to the command line's parser."""
    text = "decide on your own log: which arms to play, and what that is guaranteed to be worth"
    form = argparse.RawDescriptionHelpFormatter
    command = commands.add_parser(
        "decide", help=text, description=text, epilog=KEYS, formatter_class=form, allow_abbrev=False
    )
    add = command.add_argument
    add("log", metavar="LOG.csv", help="a CSV file with a header and one row per sample, or - for standard input")
    add("--sigma", help="noise of one reward: a number, range:LO:HI (half the range) or pooled (within repeated arms)")
    add("--arm", default="arm", metavar="COL", help="the column of arms (%(default)s)")
    add("--reward", default="reward", metavar="COL", help="the column of rewards (%(default)s)")
    add("--delta", default="0.1", metavar="D", help="failure probability, in (0, 1) (%(default)s)")
    add("--band", default="calibrated", choices=["calibrated", "paper"], help="the noise bound (%(default)s)")
    add("--seed", default="0", metavar="N", help="seed of the simulated noise (%(default)s)")
    add("--top", default="10", metavar="N", help="how many of the largest weights to show (%(default)s)")
    add("--skip-bad-rows", action="store_true", help="leave out and count rows that cannot be used")
    add("--policy", metavar="OUT.csv", help="write the recommended weight of every arm")
    add("--json", metavar="OUT.json", help="write the report for machines")
    add("--plot", metavar="OUT.png", help="draw value and guarantee against the radius")
    command.set_defaults(work=_decide)


def _decide(asked: argparse.Namespace) -> int:
    delta = probability(asked.delta)
    seed, top = (_whole(getattr(asked, name), name) for name in ("seed", "top"))
    options = [name for name in OUTPUTS if getattr(asked, name)]
    outputs = plan_outputs([(f"--{name}", getattr(asked, name)) for name in options], [asked.log])
    if asked.plot:
        _refuse_picture(asked.plot)
    log = read_log(asked.log, asked.arm, asked.reward, asked.skip_bad_rows)
    data = OfflineData.from_samples(log.arms, log.rewards, _sigma(asked.sigma, log))
    watched = sys.stderr.isatty() and has("tqdm")
    made = report(data, delta, asked.band, seed, progress=watched)
    content = {
        "policy": lambda: _policy(made),
        "json": lambda: _json(asked.log, log, made, top),
        "plot": lambda: _picture(made, Path(asked.plot).suffix),
    }
    write_all([(output, content[name]()) for name, output in zip(options, outputs, strict=True)])
    if all(output.path for output in outputs):  # else standard output is for a machine
        if log.skipped:
            print(f"{log.skipped:,} unusable rows left out")
        print(as_text(made, top))
    return 0


def _whole(text: str, name: str) -> int:
    try:
        return whole_number(int(text), name, least=0)
    except ValueError as error:
        raise TrustError(f"--{name} {text}: it must be a whole number of at least 0") from error


def _sigma(text: str | None, log: Log) -> Sigma:
    """The noise level as it was said; pooled where it was not and there are repeats."""
    if text is None:
        if len(set(log.arms)) == len(log.arms):
            raise DataError(
                "how noisy one reward is cannot be seen in a log without repeats; say it with --sigma NUMBER, "
                "--sigma range:LO:HI if rewards lie between LO and HI, or log some arm twice for --sigma pooled"
            )
        return "pooled"
    try:
        return float(text)
    except ValueError:
        return text


def _policy(made: Report) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["arm", "weight"])
    weights = made.recommended.weights
    writer.writerows([name_of(made.data, arm), repr(float(weights[arm]))] for arm in range(made.data.n_arms))
    return text.getvalue().encode()


def _json(path: str, log: Log, made: Report, top: int) -> bytes:
    content = {"log": path, "skipped_rows": log.skipped, **as_dict(made, top)}
    return (json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _picture(made: Report, suffix: str) -> bytes:
    from matplotlib.figure import Figure

    from ..chapters.figures import plot_value_and_bound, use_style

    use_style()
    figure, buffer = Figure(layout="constrained"), io.BytesIO()
    if made.mixture is None:
        raise TrustError("--plot draws TRUST's bound on every mixture, and under this noise law there is none")
    plot_value_and_bound(figure.add_subplot(), made.mixture, made.data)
    figure.savefig(buffer, format=suffix.lstrip("."))
    return buffer.getvalue()


def _refuse_picture(path: str) -> None:
    backends = need("matplotlib.backend_bases", "plot", "--plot")
    known = sorted(backends.FigureCanvasBase.get_supported_filetypes())
    if Path(path).suffix.lstrip(".").lower() not in known:
        raise TrustError(f"--plot {path}: its name must end in one of .{', .'.join(known)}")
