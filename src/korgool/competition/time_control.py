"""The text of a time control, such as `60+0` or `15+10`, in the settings of an event."""

from __future__ import annotations

from korgool.competition.errors import CompetitionError
from korgool.conduct.control import TimeControl
from korgool.conduct.control_text import read_control as read_text


def read_control(text: str) -> TimeControl:
    """The control that a text states, as `korgool.conduct.control_text.read_control` reads it.

    Raises:
        CompetitionError: the text has another form, or gives no such control.
    """
    try:
        return read_text(text)
    except ValueError as error:
        raise CompetitionError(str(error)) from None
