"""What nbval passes over: pictures of the kind that the book draws, and the versions that a page ran on."""


def pytest_collectstart(collector):
    if hasattr(collector, "skip_compare"):
        collector.skip_compare += ("image/svg+xml",)
        collector.sanitize_patterns["versions: .*"] = "versions"
