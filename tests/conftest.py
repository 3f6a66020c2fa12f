"""Settings shared by all tests."""

import os

import hypothesis

collect_ignore = ["tools"]  # scripts, whose examples nobody looks for

# A test that depends on the day it runs is no test: examples are derived from the test's own source. Draw afresh
# with HYPOTHESIS_PROFILE=explore.
hypothesis.settings.register_profile("fixed", derandomize=True, deadline=None, print_blob=True)
hypothesis.settings.register_profile("explore", deadline=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))
