"""Settings shared by all tests."""

import os
import signal
import sys

import hypothesis
import pytest

# What a shell starts in the background ignores Ctrl-C, and so would all that tests start and interrupt: they would wait
# for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

collect_ignore = ["support", "tools"]  # no tests, and examples nobody looks for

# A test that depends on the day it runs is no test: examples are derived from the test's own source. Draw afresh
# with HYPOTHESIS_PROFILE=explore.
patient = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}  # no test times anything
hypothesis.settings.register_profile("fixed", derandomize=True, print_blob=True, **patient)
hypothesis.settings.register_profile("explore", **patient)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Tests that share a fixture of their module share a worker, so that it is made once; see test_groups.py."""
    for item in items:
        shared = shared_fixtures(item)
        if shared and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(f"{item.path.name} {' '.join(shared)}"))


def shared_fixtures(item):
    """The parameters of the module's fixtures that a test uses; its module's name where they have none."""
    found = getattr(item, "_fixtureinfo", None)
    definitions = found.name2fixturedefs.items() if found else ()
    names = [name for name, made in definitions if made and made[-1].scope == "module"]
    values = item.callspec.indices if hasattr(item, "callspec") else {}
    return [f"{name}={values[name]}" for name in sorted(names) if name in values] or (names[:1] and ["module"])


@pytest.fixture
def few_splits(monkeypatch):
    """What asks for as many splits as it needs gets sixteen: enough for what does not hang on their number."""
    monkeypatch.setattr(sys.modules["trust_helpers.split"], "MOST", 8)
