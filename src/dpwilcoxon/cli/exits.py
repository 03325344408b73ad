"""What goes wrong becomes one line on standard error and an exit code, here and nowhere else."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

from dpwilcoxon.errors import DPWilcoxonError, InternalError, InvalidArgument, OutputError

DONE, FAILED, WRONG_USAGE, OUR_BUG, INTERRUPTED = 0, 1, 2, 3, 130
DEBUG_VARIABLE = "DPWILCOXON_DEBUG"

_ASKING = [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
_LONG_NAME = re.compile(r"`([a-z]+(?:_[a-z]+)+)`")  # of one word are the same here
_KEYWORD = re.compile(r"\b(missing(?:_condition)?)='(\w+)'")

# The class of all complaints about what was typed; typer has no public name for it.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]


def exit_code_of(command: Callable[[], object]) -> int:
    """Run a command, report what it raises, and return the exit code."""
    try:
        _check_streams()
        with asked_to_end():
            result = command()
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon_output()
        return FAILED
    except SystemExit as request:  # typer leaves this way when a pipe is closed
        return request.code if isinstance(request.code, int) else FAILED
    except (KeyboardInterrupt, typer.Abort):
        return _reported("interrupted.", INTERRUPTED)
    except Exception as error:  # noqa: BLE001 - the last resort: a traceback could show data
        return _explained(error)
    code = result if isinstance(result, int) else DONE
    return _reported("interrupted.", code) if code == INTERRUPTED else code


def _check_streams() -> None:
    """Find out that nothing can be printed before anything is released."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - kept open
    if sys.stdout is None:
        sys.stdout = sys.stderr
        raise OutputError(
            "Standard output is closed, so no answer could be given. Nothing was run."
        )
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # not what tests and notebooks put there
            stream.reconfigure(errors="replace")  # better a mark than no answer


@contextmanager
def asked_to_end() -> Iterator[None]:
    """Take for Ctrl-C what asks programs to end, or tells that the terminal has gone.

    So that all is tidied up. Whoever lets a signal be ignored (nohup) is left to it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asking = [each for each in _ASKING if signal.getsignal(each) is not signal.SIG_IGN]
    before = {each: signal.signal(each, signal.default_int_handler) for each in asking}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler or signal.SIG_DFL)


def _explained(error: Exception) -> int:
    if os.environ.get(DEBUG_VARIABLE) == "1":
        traceback.print_exception(error)
    if isinstance(error, InternalError):
        return _reported(f"{error} {_please_report()}", OUR_BUG)
    if isinstance(error, InvalidArgument):
        return _reported(str(error), WRONG_USAGE)
    if isinstance(error, _UsageError):
        return _reported(_usage_message(error), WRONG_USAGE)
    reason = _expected_reason(error)
    if reason is not None:
        return _reported(reason, FAILED)
    # The message of an unforeseen error may quote the data; its type cannot.
    return _reported(f"unforeseen {type(error).__name__}. {_please_report()}", OUR_BUG)


def _expected_reason(error: Exception) -> str | None:
    """Why it could not be done, if that is nobody's mistake in writing code."""
    if isinstance(error, DPWilcoxonError):
        return " ".join([str(error), *getattr(error, "__notes__", [])])
    if isinstance(error, MemoryError):
        return "there is not enough memory for this."
    if isinstance(error, OSError):  # its reason is the system's, without a value or a name
        return f"{error.strerror or 'the system refused something'}."
    return None


def _usage_message(error: Exception) -> str:
    message = error.format_message()  # type: ignore[attr-defined]  # not in typer's public types
    context = getattr(error, "ctx", None)
    program = context.command_path if context else "dpwilcoxon"
    ending = "" if message.endswith((".", "?")) else "."
    return f"{message}{ending} See '{program} --help'."


def _please_report() -> str:
    return (
        "This is a bug of dpwilcoxon: please report the command you typed. For the traceback, "
        f"which may show data, set {DEBUG_VARIABLE}=1."
    )


def _reported(message: str, code: int) -> int:
    try:
        typer.echo(f"dpwilcoxon: error: {_as_options(' '.join(message.split()))}", err=True)
    except BrokenPipeError:
        _abandon_output()
    return code


def _as_options(message: str) -> str:
    """Write the parameters that a message names as they are typed here.

    Examples
    --------
    >>> _as_options("declare it with `public_n`, or use missing='zero'")
    'declare it with --public-n, or use --missing zero'
    """
    message = _KEYWORD.sub(lambda found: f"--{_dashed(found[1])} {found[2]}", message)
    return _LONG_NAME.sub(lambda found: f"--{_dashed(found[1])}", message)


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def _abandon_output() -> None:
    """Nobody reads on: keep Python from complaining about that when it ends."""
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
