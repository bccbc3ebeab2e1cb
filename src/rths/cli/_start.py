"""The start of the program, and what no command waits for.

Some fifty thousand objects come with what a command imports, and stay: with Python's own threshold
of 700 they would be gone through dozens of times for unused rings, and one look at them all takes
10 ms of a rehearsal. At the end Python would go through them again, only to give back memory that
the system takes back by itself. Pydantic looks through all installed packages for plugins; no
description here has one. h5py asks for the name of the machine in a way for which Python starts
another process.

Ctrl-C is heard from ``main`` on. What comes before, this file and the package's own, therefore
imports nothing that Python has not got already.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

GARBAGE = 100_000
"""New objects before Python looks for unused rings among them."""


INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it: 128 and the number of the signal."""


def main() -> None:
    """Run a command; Ctrl-C ends it in order while it is still imported, too."""
    try:
        spare_waiting()
        from rths.cli.main import main as run_command

        run_command()
    except KeyboardInterrupt:
        end_interrupted()


def end_interrupted() -> "NoReturn":
    """End after Ctrl-C, with a line instead of a traceback."""
    tell_interrupted()
    sys.exit(INTERRUPTED)


def tell_interrupted() -> None:
    """Say in a line that a command was broken off."""
    from contextlib import suppress

    with suppress(OSError):  # a terminal that was closed
        print("interrupted", file=sys.stderr)


def spare_waiting() -> None:
    """Spare a command what nobody asked for: before anything else is imported."""
    import atexit
    import gc
    import os
    import platform

    gc.set_threshold(GARBAGE)
    atexit.register(gc.freeze)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    system = platform.uname()
    vars(system).setdefault("processor", system.machine)  # else found by a process, once asked for
