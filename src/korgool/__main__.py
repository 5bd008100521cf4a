"""`python -m korgool`: the command line."""

from korgool.app.cli import main

if __name__ == "__main__":
    main()
