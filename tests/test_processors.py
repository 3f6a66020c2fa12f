"""The tool that plays other processors: it notices what is not in force, and moves what it says it moves."""

import os
import platform
import subprocess
import sys

import numpy as np
import processors
import pytest
from processors import ENVIRONMENTS, Environment, asked, jittered, moved

LAPTOP = {"OpenBLAS": ["Haswell"], "numpy": ["X86_V3"], "glibc": ["FMA", "AVX2"]}


def test_an_environment_says_what_is_in_force_and_should_not_be():
    assert ENVIRONMENTS["laptop"].objections(LAPTOP) == []
    server = LAPTOP | {"OpenBLAS": ["Haswell", "SkylakeX"], "numpy": ["X86_V3", "X86_V4"]}
    assert ENVIRONMENTS["laptop"].objections(server) == [
        "OpenBLAS uses Haswell SkylakeX instead of Haswell",
        "numpy uses X86_V3 X86_V4 instead of X86_V3",
    ]
    assert ENVIRONMENTS["old"].objections(LAPTOP)[1:] == [
        "numpy uses X86_V3 instead of nothing",
        "glibc uses FMA AVX2 instead of nothing",
    ]
    assert ENVIRONMENTS["as-it-is"].objections(server) == []


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="emulates processors of another kind")
def test_libraries_do_as_they_are_told_or_it_is_noticed():
    usual = {name: value for name, value in os.environ.items() if name not in processors.FOREIGN}
    old = ENVIRONMENTS["old"]
    assert old.objections(asked(usual | old.variables(asked(usual)))) == []
    misspelt = Environment({"OpenBLAS": ["Haswel"], "numpy": [], "glibc": []})
    found = asked(usual | misspelt.variables(asked(usual)))
    assert [text.split()[0] for text in misspelt.objections(found)] == ["OpenBLAS"]


def test_a_jitter_depends_on_what_a_result_was_computed_from_and_leaves_ties_and_zeros():
    weights = np.array([0.0, 0.25, 0.25, 0.5])
    shaken = [
        jittered(lambda x: weights * x.sum(), seed)(np.ones(k)) / k for seed, k in ((1, 1), (1, 1), (2, 1), (1, 3))
    ]
    assert shaken[0].tolist() == shaken[1].tolist()
    assert len({tuple(one) for one in shaken}) == 3
    for one in shaken:
        assert one[0] == 0
        assert one[1] == one[2]
        np.testing.assert_allclose(one, weights, rtol=1.01e-13)
    assert isinstance(moved(0.5, 7), float)


INSTALLED = """
import numpy as np, runpy
from trust_helpers import instances, region
before = region.best_weights, region.suprema_of_sorted
made = region.TrustRegion(np.ones(5))
true = made.suprema(np.arange(5.0), made.radii())
runpy.run_path({path!r})["install"](seed=1)
assert before[0] is not region.best_weights and before[1] is not region.suprema_of_sorted
found = made.suprema(np.arange(5.0), made.radii())
assert 0 < np.abs(found / true - 1).max() < 1e-12
assert instances.data_starved(10).value(np.full(10, 0.1)) != 0.5
"""


def test_a_jitter_reaches_all_it_names():
    # a name that is not there any more ends it with an error
    subprocess.run([sys.executable, "-c", INSTALLED.format(path=processors.__file__)], check=True)
