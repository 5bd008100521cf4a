"""Pages without a network: the service worker with its list of files, and the page it falls back to.

`static/sw.js` is the worker itself; here the release is inserted, so that a new release is a new worker.
"""

from __future__ import annotations

import asyncio
import json

from litestar import MediaType, Response, get

from korgool.app.server.http.release import WORKER, release
from korgool.app.server.http.responses import AnyRequest, page
from korgool.app.server.http.rights import ANYBODY

PAGES = ("/", "/analysis", "/offline")
"""The pages that the worker caches, in the visitor's language."""


@get("/sw.js", action=ANYBODY, include_in_schema=False)
async def service_worker() -> Response[str]:
    """The service worker of this release. Browsers compare it byte by byte with the one they have."""
    now = release()
    told = json.dumps(
        {"tag": now.tag, "files": await asyncio.to_thread(now.kept), "pages": PAGES}, separators=(",", ":")
    )
    script = now.files[WORKER].body.decode()
    return Response(
        f"const RELEASE = {told};\n{script}", media_type="text/javascript", headers={"cache-control": "no-cache"}
    )


@get("/offline", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def offline_page(request: AnyRequest) -> Response[str]:
    """The page shown instead of one that needs the server."""
    return page(request, "offline.html")


handlers = [service_worker, offline_page]
