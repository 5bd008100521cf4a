"""What runs in the pairing subprocess: a bound on memory, then gacrux's own command line.

It is started as a file, not as a module of this package, so that it loads nothing but gacrux. The first argument is the
bound in MiB (0 for none), the rest go to `gacrux.pairingchecker`.
"""

from __future__ import annotations

import gc
import sys

MISSING = 97
"""Exit status when gacrux is not installed."""
EXHAUSTED = 98
"""Exit status when the memory bound was reached."""


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
    """Pair the file on standard input; the answer of gacrux goes to standard output as JSON."""
    bound_memory(int(arguments[0]))
    gc.set_threshold(200_000, 50, 50)  # an object for every two players is made, and kept to the end
    sys.argv = ["gacrux", *arguments[1:]]
    try:
        from gacrux.pairingchecker import pairingchecker
    except ModuleNotFoundError as error:
        print(error, file=sys.stderr)
        return MISSING
    except (ImportError, OSError, MemoryError, SystemError) as error:
        # Within the bound a library that cannot be loaded is one for which no room was left.
        print(error, file=sys.stderr)
        return EXHAUSTED if int(arguments[0]) else 1
    program = pairingchecker()
    stage = program.do_command

    def watched(function: object, code: int, text: str) -> None:
        """One stage of gacrux; it calls every error a program error, also a lack of memory, so that is caught here."""

        def run() -> None:
            try:
                function()  # type: ignore[operator]
            except (MemoryError, SystemError):  # CPython says the latter where it had no room for the former
                sys.exit(EXHAUSTED)

        stage(run, code, text)

    program.do_command = watched
    program.common_main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
