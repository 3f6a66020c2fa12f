"""The kernels that chapters run in, so that whoever leaves in a hurry can take them along.

A kernel whose parent is gone notices a moment later and says so on the terminal, after the last word of the command.
"""

from typing import Any
from weakref import WeakSet

from ..extras import need

__all__ = ["end_kernels", "kernel_manager"]

MANAGERS: WeakSet[Any] = WeakSet()


def kernel_manager() -> type:
    """A class of kernel managers, for nbclient, each of which is remembered as long as it is there."""
    base = need("jupyter_client.manager", "book").AsyncKernelManager

    class Remembered(base):  # type: ignore[misc, valid-type]
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            MANAGERS.add(self)

    return Remembered


def end_kernels() -> int:
    """Kill every kernel that still runs; how many there were."""
    provisioners = [getattr(manager, "provisioner", None) for manager in list(MANAGERS)]
    running = [process for one in provisioners if (process := getattr(one, "process", None)) is not None]
    for process in running:
        process.kill()
    return len(running)
