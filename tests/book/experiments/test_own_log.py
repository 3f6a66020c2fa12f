"""Chapter 9's experiments: what is hidden is hidden, scores are of the hidden ratings, and words follow numbers."""

import json

import numpy as np
import pytest

from trust_helpers import DataError, OfflineData, TrustError, report
from trust_helpers.book.experiments import hidden, hidden_ratings, own_log, sentences
from trust_helpers.cli import main
from trust_helpers.tables import data_of, read_log
from trust_helpers.trials import Played


@pytest.fixture(scope="module")
def ratings():
    """Thirty lecturers with 10 to 39 ratings each; the better ones have more."""
    rng = np.random.default_rng(3)
    lecturer = np.repeat(np.arange(30), np.arange(10, 40))
    rating = np.clip(np.rint(rng.normal(2 + lecturer / 15, 1.0)), 1, 5)
    return hidden_ratings.Ratings(tuple(f"lecturer {i:04d}" for i in range(30)), lecturer, rating)


def test_every_lecturer_keeps_a_rating_back(ratings):
    most = int(ratings.given.sum()) - 30
    seen = ratings.draw(most, np.random.default_rng(0))
    assert np.unique(seen).size == most
    assert (np.bincount(ratings.lecturer[seen], minlength=30) == ratings.given - 1).all()
    with pytest.raises(TrustError, match=r"rows is .*there are 705 ratings"):
        ratings.draw(most + 1, np.random.default_rng(0))


def test_a_random_log_shows_lecturers_in_proportion(ratings):
    # 40 rows of 735; a lecturer's share of them has mean given / total, and 400 logs make its error below 0.003
    logs = [np.bincount(ratings.lecturer[ratings.draw(40, np.random.default_rng(i))], minlength=30) for i in range(400)]
    expected = (ratings.given - 1) / (ratings.given - 1).sum()
    error = np.sqrt(expected * (1 - expected) / (40 * 400))
    assert (abs(np.mean(logs, axis=0) / 40 - expected) < 4.5 * error).all()


def test_ratings_are_dealt_again_with_the_same_counts(ratings):
    counts = np.bincount(ratings.lecturer[ratings.draw(200, np.random.default_rng(1))], minlength=30)
    first, second = (ratings.draw_again(counts, np.random.default_rng(i)) for i in (1, 2))
    for seen in (first, second):
        assert (np.bincount(ratings.lecturer[seen], minlength=30) == counts).all()
    assert set(first) != set(second)


def test_hidden_means_are_those_of_the_ratings_not_seen(ratings):
    seen = ratings.draw(100, np.random.default_rng(4))
    log, means = ratings.log(seen), ratings.hidden_means(seen)
    for name, mean in zip(log.names, means, strict=True):
        all_of = np.flatnonzero(ratings.lecturer == ratings.names.index(name))
        assert mean == pytest.approx(ratings.rating[np.setdiff1d(all_of, seen)].mean())


def test_methods_are_scored_by_hidden_ratings(ratings):
    counts = np.full(30, 5)
    played = hidden_ratings.on_hidden_ratings(ratings, counts, "range:1:5", 40, seed=0, delta=0.1)
    assert list(played) == list(hidden_ratings.METHODS)
    for name in hidden_ratings.METHODS[1:]:  # 40 logs: 4 are allowed, and 10 have a chance of 0.5 %
        assert played[name].missed.value * 40 < 10
    assert np.isneginf(played["greedy"].bound).all()
    # lecturers' means rise by 2, so the chosen one is worth much more than all of them alike, and varies more
    assert played["greedy"].value.mean() > played["behaviour cloning"].value.mean() + 0.5
    assert played["greedy"].value.std() > 3 * played["behaviour cloning"].value.std()


def test_ties_are_broken_at_random():
    data = OfflineData.from_samples([0, 1, 2], [5.0, 5.0, 5.0], "range:1:5")
    rng = np.random.default_rng(0)
    picks = {int(hidden_ratings._any_of_the_best(data, data.means, "greedy", rng).weights.argmax()) for _ in range(40)}
    assert picks == {0, 1, 2}


def test_words_follow_the_scores():
    def scores(value, bound):
        return Played(np.array(value), np.array(bound), np.full(2, np.nan))

    played = {"greedy": scores([5.0, 1.0], [-np.inf] * 2), "combined": scores([2.9, 2.8], [2.0, 3.0])}
    words = own_log.score_words(played, delta=0.1)
    assert (words["earns-most"], words["worst-most"], words["promises-most"]) == ("greedy", "combined", "combined")
    assert (words["combined-earns"], words["greedy-ahead"]) == ("2.85", "50\u00a0%")
    assert words["most-missed"] == "50.0\u00a0%"
    assert words["kept"] == "kept"  # one of two logs proves nothing
    many = {name: Played(*(np.tile(x, 50) for x in (one.value, one.bound, one.radius))) for name, one in played.items()}
    assert own_log.score_words(many, delta=0.1)["kept"] == "broken"
    assert [row["promised"] for row in own_log.score_rows(played)] == [None, 2.5]


def test_the_command_the_function_and_the_chapter_promise_the_same(ratings, tmp_path, capsys):
    tries = ratings.log(ratings.draw(300, np.random.default_rng(7)))
    lines = [f"{name},{reward:g}" for name, reward in zip(tries.arms, tries.rewards, strict=True)]
    (tmp_path / "log.csv").write_text("arm,reward\n" + "\n".join(lines) + "\n")
    asked = [str(tmp_path / "log.csv"), "--noise", "range:1:5", "--delta", "0.2", "--seed", "5", "--json", "-"]
    assert main(["decide", *asked]) == 0
    told = json.loads(capsys.readouterr().out)
    data, _ = data_of(tries, "range:1:5")
    chapter = report(data, 0.2, seed=5).recommended.lower_bound
    again = report(OfflineData.from_table(tmp_path / "log.csv", sigma="range:1:5"), 0.2, seed=5)
    assert chapter == again.recommended.lower_bound
    assert json.dumps(chapter) in json.dumps(told)


def test_bad_tables_are_data_errors(tmp_path):
    table = tmp_path / "log.csv"
    table.write_text("arm,reward\na,1\nb,many\n")
    with pytest.raises(DataError, match=r"many|line 3"):
        read_log(str(table), "arm", "reward")
    with pytest.raises(DataError, match="paid"):
        read_log(str(table), "arm", "paid")


def test_ratings_need_a_sentence(ratings):
    with pytest.raises(DataError, match=r"range:1:5.*sd:1\.5.*pooled"):
        data_of(ratings.log(ratings.draw(300, np.random.default_rng(0))), None)


def test_stein_is_for_gaussian_noise_alone(ratings):
    log = ratings.log(ratings.draw(300, np.random.default_rng(0)))
    ranged, normal = (report(OfflineData.from_log(log, said), seed=0) for said in ("range:1:5", 1.0))
    assert own_log.stein_value(ranged) == "none"
    assert own_log.stein_value(normal).startswith(f"{normal.stein.value:.3g}")
    rows = own_log.promise_rows(ranged)
    assert rows[-1]["method"].startswith("combined")
    assert [row["promised"] for row in rows][:2] == [None, ranged.decisions[1].lower_bound]


def test_false_sentences_are_found_out():
    gaussian, louder, clicks, shared = (sentences.KINDS[i] for i in (0, 1, 3, 5))
    row = {
        kind.name: sentences.sentence_row(kind, 100, 4, 80, seed=1, delta=0.1) for kind in (gaussian, louder, clicks)
    }
    assert row[gaussian.name] == {"a number": "kept", "pooled": "kept", "range": "", "sd": "kept"}
    assert row[louder.name]["a number"] == "broken, seen"
    assert (row[clicks.name]["pooled"], row[clicks.name]["range"]) == ("broken, seen", "kept")
    assert sentences.sentence_row(shared, 100, 4, 80, seed=1, delta=0.1)["sd"] == "broken"


def test_kinds_have_the_deviation_that_is_said():
    arm = np.arange(400_000) % 100
    for i, wrong in enumerate([1, 1.5, 1, 1, 1, 1]):
        kind = sentences.KINDS[i]
        rewards = np.concatenate([kind.draw(np.random.default_rng([i, k]), arm[:4_000]) for k in range(1_000)])
        # 1,000 shocks: a relative error of the deviation below 4 %
        assert rewards.std() == pytest.approx(wrong * kind.said["a number"], rel=0.05)
        assert rewards.mean() == pytest.approx(kind.mean, abs=0.1)


def test_pictures_show_promises_that_lie_far_away(ratings):
    plt = pytest.importorskip("matplotlib.pyplot")
    log = ratings.log(ratings.draw(300, np.random.default_rng(0)))
    made = report(OfflineData.from_log(log, "sd:2"), seed=0)
    fig, ax = plt.subplots()
    hidden.draw_report_of_methods(ax, made)
    texts = [text.get_text() for text in ax.texts]
    assert "no promise" in texts
    assert any(text.startswith("\N{LEFTWARDS ARROW}") for text in texts)
    assert [label.get_text() for label in ax.get_yticklabels()] == [one.method for one in made.decisions]
    plt.close(fig)
