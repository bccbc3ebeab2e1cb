"""The start of the program, and what no command waits for.

Some fifty thousand objects come with what a command imports, and stay: with Python's own threshold
of 700 they would be gone through dozens of times for unused rings, and one look at them all takes
10 ms of a rehearsal. At the end Python would go through them again, only to give back memory that
the system takes back by itself. Pydantic looks through all installed packages for plugins; no
description here has one. h5py asks for the name of the machine in a way for which Python starts
another process.
"""

import atexit
import gc
import os
import platform

GARBAGE = 100_000
"""New objects before Python looks for unused rings among them."""


def main() -> None:
    """Run a command."""
    spare_waiting()
    from rths.cli.main import main as run_command

    run_command()


def spare_waiting() -> None:
    """Spare a command what nobody asked for: before anything else is imported."""
    gc.set_threshold(GARBAGE)
    atexit.register(gc.freeze)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    system = platform.uname()
    vars(system).setdefault("processor", system.machine)  # else found by a process, once asked for
