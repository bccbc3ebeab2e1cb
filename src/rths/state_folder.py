"""Where the package keeps what must outlive a run and a folder of runs, for each user.

RTHS_STATE_DIR, else rths in XDG_STATE_HOME, else ~/.local/state/rths                       (1)
"""

from __future__ import annotations

import os
from pathlib import Path

from rths.errors import InputError


def state_folder(part: str) -> Path:
    """Give the folder of one concern, made if it is not there."""
    home = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    folder = Path(os.environ.get("RTHS_STATE_DIR") or os.path.join(home, "rths")) / part
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        problem = f"cannot be made ({error.strerror})"
        remedy = "Set RTHS_STATE_DIR to a folder that can be written."
        raise InputError("state", str(folder), problem, remedy) from None
    return folder
