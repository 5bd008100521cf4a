"""What open pages of the console ask every second and a half: whether others have changed the event, and who."""

from __future__ import annotations

from litestar import get
from litestar.params import FromQuery

from korgool.app.server.web.desk.frame import ThePlace
from korgool.app.server.web.rights import ANYBODY


@get("/news", action=ANYBODY)
async def news(place: ThePlace, after: FromQuery[int] = 0) -> dict[str, object]:
    """The last line of the log, and who wrote which after the given one: `{"seq": 12, "lines": [{"at": 12, "by": …}]}`."""
    seq = place.competition.seq
    lines = await place.competition.log(after) if seq > after else ()
    return {"seq": seq, "lines": [{"at": line.at, "by": line.by} for line in lines]}
