"""The words of the desk: its roles, and what the preview of an entry list says, in the languages of the catalogues."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from korgool.competition.entry_lists.preview import Remark
from korgool.competition.roles import DeskRole
from korgool.languages import N_

ROLE_NAMES: Mapping[DeskRole, str] = MappingProxyType(
    {
        DeskRole.ORGANISER: N_("Organiser"),
        DeskRole.CHIEF: N_("Chief referee"),
        DeskRole.DEPUTY: N_("Deputy chief referee"),
        DeskRole.SECTOR: N_("Referee of a sector"),
        DeskRole.RESULTS: N_("Results only"),
        DeskRole.CHECK_IN: N_("Check-in only"),
        DeskRole.SPECTATOR: N_("Only looks"),
    }
)
"""English; they are translated where they are shown."""

FIELD_NAMES = {
    "family": N_("Family name"),
    "given": N_("Given name"),
    "patronymic": N_("Patronymic"),
    "name": N_("Whole name"),
    "sex": N_("Sex"),
    "born": N_("Date of birth"),
    "title": N_("Title"),
    "rating": N_("Rating"),
    "external": N_("Number in a federation"),
    "federation": N_("Federation"),
    "club": N_("Club"),
    "team": N_("Team"),
    "board": N_("Board"),
    "groups": N_("Groups"),
    "passport": N_("Passport, series and number"),
    "passport_series": N_("Passport, series"),
    "passport_number": N_("Passport, number"),
    "coaches": N_("Coaches, full names"),
    "doctor": N_("Doctor's admission, signature"),
    "short": N_("Short name"),
    "guardian": N_("Name of the guardian"),
    "consent_day": N_("Day of the consent"),
    "consent_how": N_("How it was given"),
}
"""Names of the columns of lists, which are also the fields of an entry."""
_REMARKS = {
    "lost": N_("Letters seem to be lost: %(text)s"),
    "particle": N_("The word %(text)s may belong to another part of the name. Look at the parts before you enter it."),
    "entered": N_("This name is entered already, with number %(text)s. Choose the line only if this is somebody else."),
    "listed": N_("This name stands in line %(text)s too. Choose the line only if this is somebody else."),
    "namesake": N_("There is another player of this name, who differs: %(text)s"),
    "number": N_("Another player has the number %(text)s."),
    "merged": N_("The cell is merged with one above, whose text was taken."),
    "formula": N_("The cell holds a formula; what it last gave was taken."),
    "no_value": N_("The cell holds a formula without a value."),
    "lacking": N_("The organiser asks for this too: %(text)s"),
    "family": N_("The family name is missing."),
    "guardian": N_("A consent needs the name of the guardian."),
    "date": N_("%(text)s is no date; write 2001, 2001-05-31 or 31.05.2001."),
    "day": N_("There is no day %(text)s."),
    "year": N_("A year of birth has four digits, not %(text)s."),
    "sex": N_("%(text)s is no sex; write m or f."),
    "rating": N_("%(text)s is no rating."),
    "board": N_("%(text)s is no board."),
    "long": N_("The text is longer than %(text)s letters."),
    "control": N_("The text holds a control character."),
    "man": N_("This is a women's event: men cannot play."),
    "sexless": N_("This is a women's event: the sex must be stated."),
}


def remark_text(remark: Remark, gettext: Callable[[str], str]) -> str:
    """A remark on a row as a sentence, after the heading of its column where it has one."""
    text = remark.text
    if remark.kind == "lacking":
        text = ", ".join(gettext(FIELD_NAMES[name]) for name in text.split(", "))
    said = gettext(_REMARKS[remark.kind]) % {"text": text}
    return f"{remark.column}: {said}" if remark.column else said
