"""From text and the steps that it calls to object code: LLVM alone, as Numba calls it.

The passes are Numba's: the function by itself, then with the steps a cheap round that puts small
functions into their callers, the pruning of reference counts, and a full round at -O3.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from llvmlite import binding

from rths.loop.machine_code import Code, name_outside

FULL = 3
"""Level of optimisation, as in -O3."""


@cache
def _target_machine() -> Any:
    """The processor of this machine, with all it can do."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_triple(binding.get_process_triple())
    return target.create_target_machine(
        cpu=binding.get_host_cpu_name(),
        features=binding.get_host_cpu_features().flatten(),
        opt=FULL,
        reloc="static" if target.name.startswith("x86") else "default",
        codemodel="jitdefault",
        jit=True,
    )


def _passes(level: int, unroll: bool = True) -> Any:
    """Give LLVM's passes of a level; loops, most of which run once or thrice, get no vectors.

    Unrolled for a number of turns that is not known, they would have more branches than turns.
    """
    options = binding.create_pipeline_tuning_options(level)
    options.loop_vectorization = options.slp_vectorization = False
    options.loop_unrolling = unroll
    return binding.create_pass_builder(_target_machine(), options)


def _optimise_alone(module: Any) -> None:
    """Optimise a text before its steps are there: their calls are few lines, a fused loop short.

    Without this round a fused loop runs 1.1 times as long.
    """
    passes = _passes(FULL)
    copies = binding.create_new_module_pass_manager()
    copies.add_always_inliner_pass()
    copies.run(module, passes)
    for function in module.functions:
        passes.getFunctionPassManager().run(function, passes)


def _optimise_together(module: Any, unroll: bool) -> None:
    """Optimise a text with its steps."""
    passes = _passes(0)
    cheap = passes.getModulePassManager()
    cheap.add_loop_rotate_pass()
    cheap.add_instruction_combine_pass()
    cheap.add_jump_threading_pass()
    cheap.add_refprune_pass()
    cheap.run(module, passes)
    passes = _passes(FULL, unroll)
    full = passes.getModulePassManager()
    full.add_refprune_pass()
    full.run(module, passes)


def optimise_text(
    symbol: str, arguments: int, text: str, steps: Mapping[str, Code], unroll: bool
) -> Code:
    """Link a text with the steps that it calls by name, and optimise both together."""
    machine = _target_machine()
    module = binding.parse_assembly(text)
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    _optimise_alone(module)
    for name, step in steps.items():
        part = binding.parse_bitcode(step.code)
        part.get_function(step.symbol).name = name
        module.link_in(part)
        module.get_function(name).linkage = "linkonce_odr"  # goes once it is in all its callers
    return optimise_module(symbol, arguments, module, unroll)


def optimise_module(symbol: str, arguments: int, module: Any, unroll: bool = False) -> Code:
    """Optimise a module that is whole, and translate it."""
    _optimise_together(module, unroll)
    module.verify()
    return Code(symbol, arguments, name_outside(module), _target_machine().emit_object(module))
