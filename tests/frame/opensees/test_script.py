"""Why a script did not come to its end, in one message."""

from pathlib import Path

import pytest

from rths.errors import InputError
from rths.frame.opensees.script import explain_failure, run_script

SAID = """Domain::addNode - node with tag 2 already exists in model
WARNING: failed to add node to domain
Traceback (most recent call last):
  File "/home/me/frame.py", line 13, in <module>
    ops.node(2, 1.0, 1.0)
opensees.OpenSeesError: See stderr output
Process 0 Terminating
"""


def test_what_opensees_said_before_it_gave_up_is_shown_with_the_line_of_the_script():
    told = str(explain_failure(Path("frame.py"), 1, SAID))
    assert "tag 2 already exists" in told
    assert "line 13" in told
    assert "See stderr" not in told


def test_of_any_other_mistake_the_end_of_its_trace_is_shown():
    told = str(explain_failure(Path("frame.py"), 1, SAID.replace("OpenSeesError: See", "Error: ")))
    assert "opensees.Error" in told
    assert str(explain_failure(Path("frame.py"), 3, "")).count("exit status 3") == 1


def test_a_directory_is_no_script(tmp_path):
    with pytest.raises(InputError, match="is a directory"):
        run_script(tmp_path)
