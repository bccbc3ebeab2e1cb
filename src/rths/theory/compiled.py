"""How the numerical kernels of this package are compiled: no GIL, IEEE division, cached on disk."""

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

Function = TypeVar("Function", bound=Callable[..., object])


def compile_lazily(function: Function) -> Function:
    """Compile `function` lazily; its type stays what the source says."""
    return cast(Function, njit(nogil=True, cache=True, error_model="numpy")(function))
