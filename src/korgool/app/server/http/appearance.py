"""The look of pages: the theme, the wood of boards and the stones, as the reader chose them in the settings.

The choice stands in cookies that scripts write (`js/site/stored_settings.js`), so that the server makes each page as
it is to look, and nothing changes its colours once it is there.
"""

from __future__ import annotations

from collections.abc import Mapping

APPEARANCE: dict[str, tuple[str, ...]] = {
    "theme": ("system", "light", "dark"),
    "board": ("wood", "felt", "contrast"),
    "stones": ("ivory", "dark"),
}
"""The values of each choice, the usual one first."""
PREFIX = "look_"
"""The beginning of the name of a choice's cookie."""


def appearance_of(cookies: Mapping[str, str]) -> dict[str, str]:
    """The choices that differ from the usual ones; a value that does not exist is left out."""
    chosen = {name: cookies.get(PREFIX + name, "") for name in APPEARANCE}
    return {name: value for name, value in chosen.items() if value in APPEARANCE[name][1:]}
