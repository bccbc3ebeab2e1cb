"""The latch of a rig in the user's state folder, under the rig's own identity.

    free -> engaged by a run -> free                      if the run ended as planned or asked
                             -> latched -> acknowledged   if it tripped, was killed or cut off   (1)

The file is there from before the first command until a good end: a run that nobody could end, as
when the machine was switched off, leaves the rig engaged, and that counts as latched. What the rig
is called, at which address and from which folder it is run does not matter: it says itself who it
is. The rig keeps a latch of its own; this one also stands when the rig forgot.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rths.errors import InputError
from rths.realtime.acknowledgement import Acknowledgement
from rths.run.run_directory import RunDirectory, read_json, write_json
from rths.state_folder import state_folder

ENGAGED, LATCHED = "engaged", "latched"


@dataclass(frozen=True)
class RigLatch:
    """The latch (1) of one rig."""

    identity: str

    @property
    def path(self) -> Path:
        """The file, named by a digest: an identity is any text."""
        name = hashlib.sha256(self.identity.encode()).hexdigest()[:32]
        return state_folder("rigs") / f"{name}.json"

    def read(self) -> dict[str, str] | None:
        """Give what is known of the latch; None if the rig is free."""
        if not self.path.exists():
            return None
        found = {"state": LATCHED, "folder": "", "message": "of a cause that cannot be read"}
        with suppress(OSError, ValueError, TypeError):  # a full disk: it was there all the same
            found |= {str(k): str(v) for k, v in {**read_json(self.path)}.items()}
        return found

    def refuse_moved(self, own: Path | None = None) -> None:
        """Refuse a rig that a run moves; one in the own folder is over, or this could not begin.

        A run that has tripped is on its way to safety as long as it holds its folder.
        """
        found = self.read()
        folder = found["folder"] if found is not None else ""
        is_own = own is not None and folder == _full_path(own)
        if folder and not is_own and RunDirectory(Path(folder)).is_held():
            problem, remedy = f"is moved by the run in {folder}", "Wait for its end."
            raise InputError("rig", self.identity, problem, remedy)

    def refuse(self, own: Path | None = None) -> None:
        """Refuse a rig that is not free, for a run in a folder of its own."""
        self.refuse_moved(own)
        found = self.read()
        if found is None:
            return
        folder = found["folder"]
        told = found["message"]
        directory = RunDirectory(Path(folder))
        first = f"rths recover {folder}; " if directory.journal.exists() else ""
        if found["state"] == ENGAGED:
            told = "the run was cut off"
        remedy = (
            f"Find the cause, make sure that the rig is safe, then: {first}rths acknowledge "
            f"{folder if Path(folder).is_dir() else 'PLAN'} --by NAME --cause WORDS. It was: {told}"
        )
        problem = f"is latched since the run in {folder or 'a folder that is not known'}"
        raise InputError("rig", self.identity, problem, remedy)

    def concerns(self, folder: Path) -> bool:
        """Tell whether the rig is not free since the run in a folder.

        A folder that is gone may be the same one: whoever moves it keeps the responsibility.
        """
        found = self.read()
        since = found["folder"] if found is not None else ""
        if not since:  # it could not be written down
            return found is not None
        return found is not None and (since == _full_path(folder) or not Path(since).is_dir())

    def refuse_other(self, folder: Path) -> None:
        """Refuse to free the rig by a run that is not the one since which it is not free."""
        found = self.read()
        if found is not None and found["folder"] and not self.concerns(folder):
            problem = f"is latched since the run in {found['folder']}, not by that in {folder}"
            remedy = f"Acknowledge that one: rths acknowledge {found['folder']} ..."
            raise InputError("rig", self.identity, problem, remedy)

    def engage(self, folder: Path) -> None:
        """Take the rig for a run; whoever comes second is refused."""
        self.refuse(folder)
        about = self._about(ENGAGED, folder, "the run has not ended")
        try:
            file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            self.refuse(folder)
            raise
        try:
            with os.fdopen(file, "w", encoding="utf-8") as text:
                json.dump(about, text)
                text.flush()
                os.fsync(file)  # after a cut of the power it is still known that a run had it
        except OSError:  # a full disk: nothing has moved it, and nothing will
            self.path.unlink(missing_ok=True)
            raise

    def follow_run(self, before: Path, folder: Path) -> None:
        """Name the folder in which the run that has the rig goes on; never fails, as ``latch``."""
        with suppress(OSError, InputError):
            found = self.read()
            if found is not None and found["folder"] == _full_path(before):
                write_json(self.path, {**found, "folder": _full_path(folder)})

    def free(self, folder: Path) -> None:
        """Let the rig go after a good end of the run that had it."""
        found = self.read()
        if found is not None and (found["state"], found["folder"]) == (
            ENGAGED,
            _full_path(folder),
        ):
            self.path.unlink(missing_ok=True)

    def latch(self, folder: Path, message: str) -> None:
        """Latch the rig with the cause that is known, unless another run has it.

        It never fails: a test that has tripped is on its way to safety. Where the disk is full the
        file that engaged the rig stands, and refuses too; where the state folder is gone the rig
        itself is latched.
        """
        with suppress(OSError, InputError):
            if self.read() is None or self.concerns(folder):
                write_json(self.path, self._about(LATCHED, folder, message))

    def acknowledge(self, who: Acknowledgement) -> None:
        """End the latch; who did it and why is kept beside it."""
        found = self.read()
        if found is None:
            return
        line = json.dumps({**found, "acknowledged": who.as_dict()})
        with open(self.path.with_suffix(".log"), "a", encoding="utf-8") as log:
            log.write(line + "\n")
        self.path.unlink()

    def _about(self, state: str, folder: Path, message: str) -> dict[str, Any]:
        now = datetime.now(UTC).isoformat()
        about = {"state": state, "folder": _full_path(folder), "message": message, "time": now}
        return {"identity": self.identity, **about}


def latch_of(directory: RunDirectory) -> RigLatch | None:
    """Give the latch of the rig that a run had; None if it had none."""
    try:
        return RigLatch(str(read_json(directory.rig)["identity"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def find_latch(folder: Path) -> RigLatch | None:
    """Find the rig that is not free since a run in a folder; None if there is none."""
    for path in state_folder("rigs").glob("*.json"):
        with suppress(OSError, ValueError, KeyError, TypeError):
            found = read_json(path)
            if found["folder"] == _full_path(folder):
                return RigLatch(str(found["identity"]))
    return None


def _full_path(folder: Path) -> str:
    return str(folder.absolute())
