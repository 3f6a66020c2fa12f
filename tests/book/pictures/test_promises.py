"""Promises against samples, for each kind of reward."""

from trust_helpers.book.pictures import promises


def test_every_kind_of_reward_has_its_promises_under_the_best_there_is(ax):
    axes = ax.figure.subplots(2, 1)
    found = {"coins": {"cloning": [0.4, 0.5], "split": [0.6, 0.7]}, "prices": {"trust": [0.2, 0.3]}}
    promises.draw_promises_of_each_kind_of_reward(axes, [1, 4], found, 0.9)
    for panel, rows in zip(axes, found.values(), strict=True):
        *drawn, best = [list(line.get_ydata()) for line in panel.lines]
        assert drawn == list(rows.values())
        assert best == [0.9, 0.9]
    assert [panel.get_ylabel() for panel in axes] == ["promise, coins", "promise, prices"]
