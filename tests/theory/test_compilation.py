"""Machine code of a theory is made anew when a function it calls has changed in another file."""

import os
import shutil
import subprocess
import sys

from rths.theory import compilation

INNER = (
    "from edited.compilation import compile_lazily\n"
    "@compile_lazily\ndef inner(x):\n    return x + {n}\n"
)
OUTER = (
    "from edited.compilation import compile_lazily\nfrom edited.inner import inner\n"
    "@compile_lazily\ndef outer(x):\n    return inner(x)\n"
)


def test_an_edit_in_another_file_is_seen(tmp_path):
    package = tmp_path / "edited"
    package.mkdir()
    (package / "__init__.py").touch()
    shutil.copy(compilation.__file__, package / "compilation.py")
    (package / "outer.py").write_text(OUTER)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path)}
    environment.pop("NUMBA_DISABLE_JIT", None)
    environment["PYTHONDONTWRITEBYTECODE"] = "1"  # byte code of the same second counts as new
    found = []
    for n in (1, 2):
        (package / "inner.py").write_text(INNER.format(n=n))
        say = [sys.executable, "-c", "from edited.outer import outer; print(outer(0))"]
        done = subprocess.run(say, capture_output=True, text=True, env=environment, check=True)
        found.append(int(done.stdout))
    assert found == [1, 2]
