"""The command ``rths``: one command is one file of this package.

A command's name is that of its file, its line in ``rths --help`` the first line of the file, after
the colon, and its place there the line ``PLACE = ...``. The hundreds are those of a test's life:
its plan (1), its certificate (2), its runs (3), its records (4), and all else (5). Only the file of
the command that is asked for is imported: help answers at once. What every command takes, quiet
and verbose, is understood before the command and after it.
"""

# Annotations are objects here, not text: Typer would compile each text four times, for every help.

import os
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from rths.cli import _voice
from rths.cli._start import end_interrupted
from rths.errors import InputError, explain_os_error
from rths.kind_files import files_of
from rths.plain_text import make_plain

FOLDER = Path(__file__).parent
LAST = 1000
"""Place of a command that declares none."""
COMPLETION = ("--install-completion", "--show-completion")
COMPLETING = "_RTHS_COMPLETE"
"""What the shell sets when it asks for completions."""
_PLACE = "\nPLACE = "
"""How the line begins that gives a command its place."""


def build_program(asked: tuple[str, ...], completion: bool = False) -> typer.Typer:
    """Build the program with the commands asked for; the others have only their line of help."""
    app = typer.Typer(
        help="Real-time hybrid simulation: plan, certify, rehearse, run and report a test.",
        no_args_is_help=True,
        add_completion=completion,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_take_version if completion else _take_options)
    for name in commands():
        if name not in asked:
            told = sentence(name)  # short help is never cut, help is
            app.command(name, help=told, short_help=told)(_absent_command)
            continue
        module = import_module(f"rths.cli.{name}")
        if hasattr(module, "app"):
            app.add_typer(module.app, name=name)
        else:
            app.command(name)(getattr(module, name))
    return app


@cache
def commands() -> tuple[str, ...]:
    """Name the commands, which are the files beside this one, in the order of their help."""
    return tuple(sorted(set(files_of(FOLDER)) - {"main"}, key=lambda name: (place(name), name)))


def place(name: str) -> int:
    """Read the place of a command in the help from its file."""
    line = _source(name).partition(_PLACE)[2].partition("\n")[0]
    return int(line) if line else LAST


def sentence(name: str) -> str:
    """Give the line of help of a command: the first line of its file, without its name."""
    told = _source(name).partition("\n")[0].strip('"').partition("``: ")[2]
    return told[:1].upper() + told[1:]


@cache
def _source(name: str) -> str:
    return (FOLDER / f"{name}.py").read_text(encoding="utf-8")


def _absent_command() -> None:
    """Stand for a command that was not asked for."""


def _show_version(wanted: bool) -> None:
    if wanted:
        from rths import __version__

        print(f"rths {__version__}")
        raise typer.Exit


Version = Annotated[
    bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
]


def _take_version(version: Version = False) -> None:
    """Take the options of the program where the shell is completed."""


def _take_options(
    version: Version = False,
    quiet: Annotated[
        bool, typer.Option("-q", "--quiet", help="Say nothing but errors; also after a command.")
    ] = False,
    verbose: Annotated[
        bool,
        typer.Option("-v", "--verbose", help="Say how long it took, and where an error arose."),
    ] = False,
    install_completion: Annotated[
        bool, typer.Option("--install-completion", help="Complete words in this shell.")
    ] = False,
    show_completion: Annotated[
        bool, typer.Option("--show-completion", help="Show the script that completes words.")
    ] = False,
) -> None:
    """Take the options of the program; ``main`` has acted on them already."""


def __getattr__(name: str) -> Any:
    """Build the whole program for whoever imports ``app``."""
    if name == "app":
        return build_program(commands())
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _open_closed_streams() -> None:
    """Open what was closed of input, output and errors, as by ``>&-``.

    Else the next file, a journal or the wire to a rig, would get the number of one of them, and
    with it whatever another process prints there.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = open(os.devnull, mode)  # noqa: SIM115 - as long as the program runs
            os.set_inheritable(nowhere.fileno(), True)  # for the process of a loop
            setattr(sys, name, nowhere)


def main() -> None:
    """Run a command; an error the user can mend is one message, not a traceback; so is Ctrl-C."""
    _open_closed_streams()
    words = _voice.take_options(sys.argv[1:])
    typed = os.environ.get("COMP_WORDS", "").split()[1:] if COMPLETING in os.environ else words
    first = next((word for word in typed if not word.startswith("-")), "")
    completion = COMPLETING in os.environ or any(w.startswith(COMPLETION) for w in words)
    try:
        with _voice.speak(words):
            build_program((first,) if first in commands() else (), completion)(
                words, prog_name="rths"
            )
    except BrokenPipeError:  # whoever read what was printed has enough: rths ... | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:
        end_interrupted()
    except SystemExit as ended:
        if _was_interrupted(ended):
            end_interrupted()
        raise
    except (InputError, OSError) as error:
        told = error if isinstance(error, InputError) else explain_os_error(error)
        _voice.show_traceback()
        with suppress(OSError):  # a terminal that was closed
            print(f"error: {make_plain(str(told))}", file=sys.stderr)
        sys.exit(2)


def _was_interrupted(ended: SystemExit) -> bool:
    """Tell whether Ctrl-C broke a command off: Typer ends it with the right status, but silent."""
    reason = ended.__context__
    return reason is not None and isinstance(reason.__cause__, KeyboardInterrupt)
