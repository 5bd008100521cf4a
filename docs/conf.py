"""The manual: `sphinx-build -W -b html docs docs/_build/html`. The build asks no network."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from korgool_look import FONTS, MARK, colours

import korgool

project = "Korgool"
author = "the Korgool project"
version = release = korgool.__version__
language = "en"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "korgool_manual",
    "korgool_pictures",
    "korgool_reference",
    "korgool_search",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "_pictures"]
default_role = "code"
nitpicky = True
nitpick_ignore_regex = [
    # What others have made is not described here, and the build asks no network for where it is.
    (r"py:.*", r"(babel|collections|concurrent|ctypes|datetime|fractions|gettext|gymnasium|importlib)\..*"),
    (r"py:.*", r"(numpy|open_spiel|os|pathlib|pettingzoo|pyspiel|random|re|sqlite3|torch)\..*"),
    (r"py:class", r"korgool\..*\.(T|_Item)|Sweep"),  # a variable of a type, and a type made of words, are no classes
    (r"py:class", r"[\w.]+\[.*"),  # a type within quotes, which Sphinx cuts at its first comma
]
toc_object_entries = False  # thousands of names in the margin of every page help nobody

myst_enable_extensions = ["attrs_block", "colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_mock_imports = ["numpy", "torch", "gymnasium", "pettingzoo", "pyspiel", "open_spiel"]  # no extra of the manual
napoleon_numpy_docstring = False
napoleon_use_ivar = True

html_theme = "furo"
templates_path = ["_templates"]
html_title = f"Korgool {release}"
html_logo = html_favicon = MARK
html_theme_options = {"light_css_variables": colours(0), "dark_css_variables": colours(1)}
html_static_path = ["_static", FONTS]
html_search_scorer = str(Path(__file__).parent / "_ext" / "search_order.js")
html_extra_path = ["404.html"]
html_css_files = ["manual.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
