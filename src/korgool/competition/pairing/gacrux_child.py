"""gacrux called as a library, and the program of the process that pairs apart from ours.

The process starts this file, not a module of the package, so that it loads nothing but gacrux.
"""

from __future__ import annotations

import gc
import json
import sys
from typing import Any

MISSING = 97
"""Exit status when gacrux is not installed."""
EXHAUSTED = 98
"""Exit status when the memory bound was reached."""


class OutOfMemory(BaseException):
    """Memory ran out inside gacrux. gacrux reports every `Exception` as a program error of its own, but not this."""


def answer(trf: str, number: int) -> str:
    """gacrux's answer as JSON: its status and, where it paired the round, the pairs.

    Args:
        trf: the TRF file.
        number: the round to pair, from 1.

    Raises:
        ImportError: gacrux is not installed.
        OutOfMemory: memory ran out.
    """
    from gacrux.pairingchecker import pairingchecker

    program = pairingchecker()
    parse, read, stage = program.parser.parse_args, program.read_command_line, program.do_command

    def read_command_line() -> None:
        """The options of gacrux's command line; `jch` is where it finds a file that no stream brings."""
        read()
        program.params["jch"] = trf

    def do_command(function: Any, code: int, text: str) -> None:
        def run() -> None:
            try:
                function()
            except (MemoryError, SystemError) as error:  # CPython raises the latter where it had no room for the former
                raise OutOfMemory from error

        stage(run, code, text)

    program.parser.parse_args = lambda: parse(["-f", "TRF", "-b", "utf-8", "-p", "-n", str(number)])
    program.read_command_line, program.do_command = read_command_line, do_command
    program.write_output_file = program.write_error_file = lambda: None
    program.common_main()
    status = {name: program.resultjson["status"][name] for name in ("code", "error")}
    result = getattr(program.chessfile, "result", None) or {}
    pairs = result.get("pairs")
    return json.dumps({"status": status, "pairingResult": None if pairs is None else {"pairs": pairs}})


def bound_memory(mib: int) -> None:
    """Limit the address space of this process where the system can; 0 leaves it alone."""
    try:
        import resource
    except ImportError:
        return
    if mib:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = mib << 20 if hard == resource.RLIM_INFINITY else min(mib << 20, hard)
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))


def main(arguments: list[str]) -> int:
    """Pair the file on standard input and print gacrux's answer.

    `arguments` are the memory bound in MiB, 0 for none, and the number of the round.
    """
    bound, number = int(arguments[0]), int(arguments[1])
    bound_memory(bound)
    gc.set_threshold(200_000, 50, 50)  # an object for every two players is made, and kept to the end
    try:
        print(answer(sys.stdin.buffer.read().decode(), number))
    except ModuleNotFoundError as error:
        print(error, file=sys.stderr)
        return MISSING
    except OutOfMemory:
        return EXHAUSTED
    except (ImportError, OSError, MemoryError, SystemError) as error:
        # Within the bound a library that cannot be loaded is one for which no room was left.
        print(error, file=sys.stderr)
        return EXHAUSTED if bound else 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
