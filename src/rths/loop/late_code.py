"""Numba's code of functions that only compiled ones call: no machine code is made of it.

Numba makes machine code of every function that it compiles, at once. A step and what it calls are
put into loops as they stand before, so that this would be a third of the work, for nothing. What
Python does call, a function of the user's for instance, gets its machine code at the first call.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.codegen import JITCodeLibrary


class LateLibrary(JITCodeLibrary):  # type: ignore[misc]  # Numba has no types
    """A library that goes to the engine when Python asks for the address of a function in it."""

    _in_engine = False

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Give the address of a function, or 0 if the library has none of that name."""
        self._ensure_finalized()
        if all(f.name != name for f in self.get_defined_functions()):
            return 0
        if not self._in_engine:
            self._in_engine = True
            super()._finalize_final_module()
        return int(super().get_pointer_to_function(name))


@contextmanager
def no_machine_code(generator: Any) -> Iterator[None]:
    """Let Numba's code generator leave machine code for later."""
    eager, set_env = generator._library_class, generator.set_env

    def set_env_of_engine(name: str, env: Any) -> None:
        if generator._engine.get_global_value_address(name):
            set_env(name, env)

    generator._library_class, generator.set_env = LateLibrary, set_env_of_engine
    try:
        yield
    finally:
        generator._library_class = eager
        del generator.set_env
