"""The bounds that chapter 10 writes for rivals of TRUST keep their promise, and a careless one does not."""

import ast

import jupytext
import numpy as np
import pytest
from scipy.special import log_ndtr, logsumexp, ndtr, ndtri

from trust_helpers import instances
from trust_helpers.book.execute import book_folder

DELTA = 0.1
LOGS = 4_000  # 10 % has a standard error of 0.5 % then, and four of them are allowed
MEANS = {"alike": np.zeros(5), "one ahead": np.array([0, 0, 0, 0, 3.0]), "spread": np.linspace(0, 2, 30)}


@pytest.fixture(scope="module")
def page():
    """The functions of the chapter that bound rivals, as its cells define them."""
    wanted = {"margin", "plausible_winners", "winner", "pac_bayes", "zoom"}
    cells = [cell.source for cell in jupytext.read(book_folder() / "10_arena.md").cells if cell.cell_type == "code"]
    parts = [part for cell in cells for part in ast.parse(cell).body]
    defined = [part for part in parts if isinstance(part, ast.FunctionDef) and part.name in wanted]
    names: dict = {"np": np, "log_ndtr": log_ndtr, "logsumexp": logsumexp, "ndtr": ndtr, "ndtri": ndtri}
    exec(compile(ast.Module(defined, []), "10_arena.md", "exec"), names)
    assert wanted <= names.keys()
    return names


def missed(bound, means, deviation):
    """How often a bound for the best-looking of Gaussian arms is above its mean."""
    rng, s = np.random.default_rng(1), np.full(means.size, deviation)
    found = (bound(x, s) for x in rng.normal(means, s, (LOGS, means.size)))
    return np.mean([low > means[i] for i, low in found])


@pytest.mark.parametrize("name", MEANS)
def test_bounds_for_winners_keep_their_promise(page, name):
    error = np.sqrt(DELTA * (1 - DELTA) / LOGS)
    for bound in (
        lambda x, s: page["plausible_winners"](x, s, DELTA, DELTA / 10),
        lambda x, s: page["zoom"](x, s[0], DELTA),
        lambda x, s: page["winner"](x, s, DELTA, DELTA / 10),
    ):
        assert missed(bound, MEANS[name], 0.7) < DELTA + 4 * error
    exact = missed(lambda x, s: page["winner"](x, s, DELTA), MEANS[name], 0.7)
    assert abs(exact - DELTA) < 4 * error


def test_a_bound_that_forgets_the_choice_breaks(page):
    naive = missed(lambda x, s: (x.argmax(), x.max() - page["margin"](DELTA, 1) * s[0]), MEANS["alike"], 0.7)
    assert naive > 3 * DELTA


def test_pac_bayes_keeps_its_promise_and_is_the_best_of_its_kind(page):
    problem, rng = instances.gaussian(np.linspace(0, 1, 30), 0.5), np.random.default_rng(2)
    broken = []
    for _ in range(1_000):
        log = problem.sample(rng)
        weights, bound = page["pac_bayes"](log, DELTA)
        broken.append(bound > problem.value(weights))
        assert weights.sum() == pytest.approx(1)
    assert np.mean(broken) < DELTA
    stake = np.sqrt(2 * np.log(2 / DELTA)) / 0.5
    divergence = weights @ np.log(weights * 30)
    direct = weights @ log.means - stake / 2 * 0.25 - (divergence + np.log(1 / DELTA)) / stake
    assert bound == pytest.approx(direct)
