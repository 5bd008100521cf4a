"""`python -m korgool`: the command line."""

from korgool.app.cli import main

if __name__ == "__main__":
    try:
        main()
    finally:
        # If Ctrl-C came while a string was executed (`dataclass` executes one as a module loads), Python ends `-m` by
        # that signal, whatever the program made of it. A string executed afterwards makes Python forget it.
        exec("")
