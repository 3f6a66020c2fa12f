"""Objects people expect: equal by content, short to print, pickled read-only, frames and pictures of their own."""

import pickle
from dataclasses import dataclass

import matplotlib as mpl
import numpy as np
import pytest

from trust_helpers import OfflineData, band_for, instances, lcb, report, split, trust, values

mpl.use("agg")


@pytest.fixture(scope="module")
def data():
    return OfflineData.from_counts([9, 40, 3], [100, 100, 50], ["a", "b", "c"])


def objects(data):
    band = band_for(data, 0.1)
    return [data, band, trust(data, 0.1, band), lcb(data), report(data), split(data), data.region]


def test_equal_content_is_equal(data):
    again = OfflineData.from_counts([9, 40, 3], [100, 100, 50], ["a", "b", "c"])
    for one, other in zip(objects(data), objects(again), strict=True):
        assert one == other
        assert hash(one) == hash(other)
        assert one != 3
    assert data != OfflineData.from_counts([9, 40, 4], [100, 100, 50], ["a", "b", "c"])
    assert data != OfflineData.from_counts([9, 40, 3], [100, 100, 50], ["a", "b", "d"])
    assert OfflineData([1.0], [1], 1.0) != OfflineData([1.0], [1], 2.0)
    assert OfflineData([1.0, 2.0], [1, 1], [1.0, 2.0]) == OfflineData([1.0, 2.0], [1, 1], [1.0, 2.0])


def test_pickles_are_equal_and_read_only(data):
    for one in [*objects(data), OfflineData([1.0, 2.0], [1, 1], [1.0, 2.0])]:
        back = pickle.loads(pickle.dumps(one))
        assert back == one
        arrays = [value for value in vars(back).values() if isinstance(value, np.ndarray)]
        assert arrays or hasattr(back, "decisions")
        assert not any(array.flags.writeable for array in arrays)
    law = pickle.loads(pickle.dumps(OfflineData([1.0, 2.0], [1, 1], [1.0, 2.0]))).law
    assert not law.sigma.flags.writeable


def test_they_print_in_a_line(data):
    large = OfflineData(np.zeros(5000), np.ones(5000, int), 1.0, [f"arm {i}" for i in range(5000)])
    starved = instances.data_starved(5000)
    for one in [*objects(data), large, lcb(large), large.region, split(large), starved]:
        assert len(repr(one)) < 200
        assert repr(one).startswith(f"<{type(one).__name__}")
    assert repr(data) == "<OfflineData: 3 arms, 250 samples (50 to 100 per arm), means 0.06 to 0.4>"


def test_notebooks_show_them(data):
    for one in objects(data):
        assert one._repr_html_().startswith("<p")
        assert "<OfflineData" not in one._repr_html_()


def test_frames(data):
    assert data.to_frame()["arm"].tolist() == ["a", "b", "c"]
    assert lcb(data).to_frame(data.names)["weight"].tolist() == [0, 1, 0]
    frame = report(data).to_frame()
    assert list(frame.columns) == ["arm", "samples", "mean", "low", "high", "weight"]
    assert frame["weight"].sum() == pytest.approx(1)
    assert ((frame["low"] <= frame["mean"]) & (frame["mean"] <= frame["high"])).all()
    assert list(band_for(data).to_frame().columns) == ["radius", "width", "value_width"]


def test_frames_without_pandas_are_of_polars(data, monkeypatch):
    import polars

    monkeypatch.setattr(values, "has", lambda name: name == "polars")
    assert isinstance(data.to_frame(), polars.DataFrame)


def test_pictures(data):
    from matplotlib.figure import Figure

    made = report(data)
    for one in (lcb(data), made.mixture.band, made):
        ax = Figure().add_subplot()
        assert one.plot(ax) is ax
        assert ax.has_data()
        assert ax.get_title() or ax.get_legend()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["so far", "to expect", "promised"]
    assert ax.lines[2].get_xdata()[0] == made.recommended.lower_bound


@dataclass
class Other:
    """Fields that may hold anything."""

    precision: object
    reference: object


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (np.array([1.0, 2.0]), np.array([1.0, 2.0]), True),
        (np.array([1.0, 2.0]), np.array([1, 2]), False),  # another type of number
        (np.array([1.0, 2.0]), np.array([[1.0, 2.0]]), False),
        (np.array([1.0, 2.0]), [1.0, 2.0], False),
        (np.array([0.0]), np.array([-0.0]), True),
        (None, np.array([1.0]), False),
        ((1, np.array([1.0])), (1, np.array([1.0])), True),
        ((1, np.array([1.0])), (1, np.array([2.0])), False),
        ((1, 2), (1, 2, 3), False),
        ((1, 2), [1, 2], False),
        ("a", "a", True),
        (Other(1, np.array([1.0])), Other(1, np.array([1.0])), True),
        (Other(1, np.array([1.0])), Other(1, np.array([3.0])), False),
        (Other(1, 2), (1, 2), False),
    ],
)
def test_values_are_alike_entry_by_entry(one, other, alike):
    assert (values._key(one) == values._key(other)) is alike
