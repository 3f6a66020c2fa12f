"""The golden notebooks are compared with those that were executed for the book; NBVAL_EXECUTE=1 runs kernels."""

from replay import replace_kernels


def pytest_configure():
    replace_kernels()


def pytest_collectstart(collector):
    if hasattr(collector, "skip_compare"):  # nbval passes over pictures of two kinds; the book draws a third
        collector.skip_compare += ("image/svg+xml",)
