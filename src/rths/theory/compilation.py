"""How the numerical kernels of this package are compiled: no GIL, IEEE division, cached on disk.

Numba's cache looks at the file of a function only: an edited function of another file would go on
in its old form wherever it was compiled in. Here the cache counts as stale when any file of this
package has changed.
"""

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit

Function = TypeVar("Function", bound=Callable[..., object])


@cache
def source_digest() -> str:
    """Hash all sources of this package."""
    sources = sorted(Path(__file__).parent.rglob("*.py"))
    return sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


def compile_lazily(function: Function) -> Function:
    """Compile `function` lazily; its type stays what the source says."""
    made: Any = njit(nogil=True, cache=True, error_model="numpy")(function)
    if made is not function:  # it is, where Numba is switched off
        made._cache._cache_file._source_stamp = source_digest()
    return cast(Function, made)
