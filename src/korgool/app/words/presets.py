"""The names of presets of regulations."""

from __future__ import annotations

from collections.abc import Callable

from korgool.app.words.games import GAME_WORDS
from korgool.competition.presets import Preset
from korgool.languages import N_, translations

_GAMES = N_("World Nomad Games")
_FIELDS = {"men": N_("Men"), "women": N_("Women"), "teams": N_("Teams")}
_OTHERS = {
    "fide-swiss": N_("FIDE, Swiss system, ratings that cannot be compared"),
    "fide-swiss-rated": N_("FIDE, Swiss system, ratings that can be compared"),
    "fide-round-robin": N_("FIDE, round robin"),
}


def preset_title(preset: Preset, language: str) -> str:
    """What a list calls a preset, such as `World Nomad Games: Mangala, Women`; raises ValueError for no language."""
    gettext: Callable[[str], str] = translations(language).gettext
    if not preset.field:
        return gettext(_OTHERS[preset.name])
    game = gettext(GAME_WORDS[preset.regulations.game].name)
    return f"{gettext(_GAMES)}: {game}, {gettext(_FIELDS[preset.field])}"
