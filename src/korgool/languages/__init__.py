"""The languages of all texts that people read, one catalogue each; the standard library reads them.

A new language is one line in `catalogues.LANGUAGES` and one catalogue, which `python -m korgool.languages` creates.
Messages are written in English in the sources: `N_` and `NN_` mark those that are translated where they are shown.
"""

from korgool.languages.catalogues import LANGUAGES, CatalogueError, catalogue_path, translations
from korgool.languages.marking import N_, NN_

__all__ = ["LANGUAGES", "NN_", "N_", "CatalogueError", "catalogue_path", "translations"]
