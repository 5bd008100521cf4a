"""Responses: pages from templates, problems as JSON or as a page, and the headers of everything."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import DictLoader, Environment
from jinja2.ext import Extension
from litestar import MediaType, Request, Response
from litestar.datastructures import Cookie, State
from litestar.exceptions import HTTPException, ValidationException
from litestar.response import Redirect
from litestar.types import Message, Scope
from sqlalchemy.exc import SQLAlchemyError

from korgool.accounts import RefusedKind
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ACCOUNT_REFUSALS, ApiError, RateLimitError
from korgool.app.server.core.headers import with_security_headers
from korgool.app.server.core.people_lookup import PeopleLookup
from korgool.app.server.http.appearance import appearance_of
from korgool.app.server.http.page_variables import variables_of
from korgool.app.server.http.release import release
from korgool.app.server.http.return_address import onward, referring_page
from korgool.app.server.http.site_names import SAFE, Connection, Site, bearer
from korgool.app.server.http.stone_layout import number, rect
from korgool.app.server.http.template_texts import words
from korgool.app.server.http.visitors import Visitors, identified_principal, principal_of
from korgool.app.server.limits.deadline_pool import OverdueError
from korgool.app.server.storage.writer import StorageError
from korgool.app.words.event_texts import halves_said
from korgool.app.words.games import STONE_GAMES
from korgool.app.words.people import name_before
from korgool.languages import LANGUAGES, translations

AnyRequest = Request[object, object, State]
_LOG = logging.getLogger(__name__)
_TEMPLATES = Path(__file__).parents[2] / "templates"
_COME_AGAIN = "5"
"""The `Retry-After` of an answer 503, in seconds."""

_LONGEST_FORM = 30_000
"""Bytes of a form that may fit into a cookie."""
_UNKNOWN = frozenset({ACCOUNT_REFUSALS[RefusedKind.SIGN_IN], ACCOUNT_REFUSALS[RefusedKind.GUESTS]})
"""Refusals of what somebody may do who has an account."""
_BY_STATUS = {
    404: errors.NO_PAGE,
    405: errors.WRONG_METHOD,
    413: errors.TOO_LARGE,
}


class _FilesOfTheRelease(Extension):
    """Lets templates use plain names: `"/static/NAME"` becomes the file's address in this release, or its bundle's."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return release().addressed(source)


@lru_cache(maxsize=1)
def templates() -> Environment:
    """The templates of the pages, as they were when first read: they belong to the release. Each is compiled when it is
    first used."""
    extensions: list[str | type[Extension]] = ["jinja2.ext.i18n", _FilesOfTheRelease]
    sources = {
        path.relative_to(_TEMPLATES).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(_TEMPLATES.rglob("*.html"))
    }
    found = Environment(loader=DictLoader(sources), autoescape=True, extensions=extensions, auto_reload=False)
    found.globals |= {"number": number, "rect": rect}
    found.filters |= {"index": enumerate, "halves": halves_said}
    return found


def prepare() -> None:
    """Read what every page is made of: static files, and the sources of templates."""
    release()
    templates()


def warm_up_tasks() -> Iterator[Callable[[], object]]:
    """Work that can wait until the first visitors have their pages, in small pieces, and would otherwise be done for
    the first one who needs it: compressed files, compiled templates, the words of each language."""
    for file in release().smallest_first():
        yield file.packed
    for name in templates().list_templates():
        yield partial(templates().get_template, name)
    for language in LANGUAGES:
        yield partial(words, language)


def language_of(request: Connection) -> str:
    """The visitor's language: the one chosen on a page, otherwise the browser's."""
    return visitors_of(request).language(request)


def visitors_of(request: Connection) -> Visitors:
    """The reader of this server's cookies and tokens."""
    found: Visitors = request.app.state.visitors
    return found


def people_lookup_of(request: Connection) -> PeopleLookup:
    """The lookup of people of this server."""
    found: PeopleLookup = request.app.state.people_lookup
    return found


def origin_of(request: AnyRequest) -> str:
    """The origin under which the site is known, for addresses that must be absolute."""
    site: Site = request.app.state.site
    return site.origin(request)


def page(request: AnyRequest, template: str, status_code: int = 200, **context: object) -> Response[str]:
    """A page in the visitor's language. Its headers tell the service worker what it may cache."""
    return page_with(request, template, visitors_of(request).greet(request), context, status_code)


def page_with(
    request: AnyRequest,
    template: str,
    greeting: tuple[str, list[Cookie]],
    context: Mapping[str, object],
    status_code: int = 200,
) -> Response[str]:
    """The same with the token and the cookies of somebody who has just signed in."""
    language = language_of(request)
    token, cookies = greeting
    variables = (
        words(language, context.get("game") in STONE_GAMES)
        | dict(context)
        | {"origin": origin_of(request), "guest": names_for(request)}
    )
    variables = {**variables_of(request), **variables}
    variables.setdefault("onward", onward(request))
    variables["appearance"] = appearance_of(request.cookies)
    variables["reader"] = who = identified_principal(request)
    mark = "" if who is None or who.session is None else mark_of(who.person.id)
    html = templates().get_template(template).render(variables, csrf_token=token, reader_mark=mark)
    headers = {"content-language": language, "x-korgool-release": release().tag}
    if who is not None:
        headers["x-korgool-reader"] = mark
    return Response(html, media_type=MediaType.HTML, status_code=status_code, headers=headers, cookies=cookies)


def mark_of(identity: str) -> str:
    """The mark of an account on its pages, by which a script knows whose they are; it opens nothing."""
    return sha256(identity.encode()).hexdigest()[:16]


def names_for(request: Connection) -> Callable[[str], str]:
    """Names of people by identity, as the reader may see them and in their language.

    Who they are must have been learnt (`PeopleLookup.learn`); whoever is not known is a guest.
    """
    return _names(request, translations(language_of(request)).gettext)


def english_names(request: Connection) -> Callable[[str], str]:
    """The same as it goes over the wire: in English."""
    return _names(request, str)


def _names(request: Connection, gettext: Callable[[str], str]) -> Callable[[str], str]:
    reader = principal_of(request).person
    register = people_lookup_of(request)
    return lambda identity: name_before(register.person(identity), reader, gettext)


def error_response(request: AnyRequest, error: Exception) -> Response[Any]:
    """The answer to a refused request: `{"detail": reason}`, or a page if the client accepts HTML."""
    if (way := _way_in(request, error)) is not None:
        return way
    status, message, more, headers = 500, errors.BROKEN, "", None
    if isinstance(error, ApiError):
        status, message = error.status, error.message
        if isinstance(error, RateLimitError):
            headers = {"retry-after": str(max(1, math.ceil(error.wait)))}
    elif isinstance(error, (SQLAlchemyError, StorageError)):
        status, message = 503, errors.NOT_REACHED
    elif isinstance(error, OverdueError):
        status, message = 503, errors.OVERDUE
    elif isinstance(error, HTTPException):
        status, headers = error.status_code, error.headers
        message = _BY_STATUS.get(status, errors.NOT_UNDERSTOOD if status < 500 else errors.BROKEN)
        if status == 400:
            more = f" {_particulars(error)}"
    gone = status >= 500 and "disconnected prematurely" in str(error)
    if status == 401:
        headers = {"www-authenticate": "Bearer"}
    if status == 503:
        headers = {"retry-after": _COME_AGAIN}
        _LOG.warning("%s %s: %s", request.method, request.scope.get("path_template"), _cause(error))
    elif gone:
        _LOG.warning("%s went away before the whole request had come", request.method)
    elif status >= 500:
        _LOG.error("%s %s failed", request.method, request.scope.get("path_template"), exc_info=error)
    refused = error if isinstance(error, ApiError) else ApiError(status, message)
    text, clause = refused.said(language_of(request)) + more, refused.clause
    if _reads_pages(request):
        # The page for 403 is about somebody else's game, which fits no other refusal.
        shown = 400 if status == 403 and message != errors.NOT_YOURS else status
        of_event = request.scope["path"].startswith("/events/")
        shown_page = page(request, "error.html", status, status=shown, message=text, of_event=of_event)
        shown_page.headers.update(headers or {})
        return shown_page
    body = {"detail": text} if clause is None else {"detail": text, "clause": clause}
    # A page of before, as from the machine that led an event before this one, has a token with which it can go on.
    cookies = visitors_of(request).greet(request)[1] if status == 403 and message == errors.FORM_TOO_OLD else None
    return Response(body, media_type=MediaType.JSON, status_code=status, headers=headers, cookies=cookies)


def redirect_to_sign_in(next_: str, why: str = "") -> Redirect:
    """The way to the form for signing in.

    Args:
        next_: where it leads on to.
        why: what it says above: `asked`, the page needs an account; `kept`, so does what was sent; `lost`, and that is
            too much to be kept.
    """
    return Redirect(f"/sign-in?{urlencode({'next': next_} | ({why: ''} if why else {}))}", status_code=303)


def _way_in(request: AnyRequest, error: Exception) -> Redirect | None:
    """Redirect of a reader of pages who has to sign in first; None if that is not the reason.

    A page is shown afterwards; a form is sent on with the same method, and kept (`wishes`).
    """
    path, who = request.scope["path"], identified_principal(request)
    if not isinstance(error, ApiError) or not _reads_pages(request) or bearer(request) is not None:
        return None
    asked = error.message in _UNKNOWN and (who is None or who.session is None)
    if asked and request.method in SAFE:
        return redirect_to_sign_in(onward(request), "asked")
    if not asked and (error.message != errors.FORM_TOO_OLD or request.headers.get("sec-fetch-site") != "same-origin"):
        return None
    if path == "/wish":
        return None
    length = request.headers.get("content-length", "")
    if not (length.isascii() and length.isdecimal() and len(length) < 10) or int(length) > _LONGEST_FORM:
        return redirect_to_sign_in(referring_page(request), "lost") if asked else None
    return Redirect(f"/wish?to={quote(path)}{'&asked' * asked}", status_code=307)


def _cause(error: BaseException) -> str:
    """The first error behind a refusal, on one line."""
    while error.__cause__ is not None:
        error = error.__cause__
    return " ".join(str(error).split())[:300]


def _particulars(error: HTTPException) -> str:
    """Faults of a request, for the programmer who sent it."""
    extra = error.extra if isinstance(error, ValidationException) else None
    if isinstance(extra, list):
        found = [f"{one.get('key', '')}: {one.get('message', '')}" for one in extra if isinstance(one, dict)]
        return "; ".join(found)[:500]
    return str(error.detail)[:500]


def is_api_path(path: str) -> bool:
    """Return whether the route of a path needs neither templates nor static files."""
    return path.startswith(("/api/", "/openapi", "/healthz"))


def _reads_pages(request: AnyRequest) -> bool:
    path = request.scope["path"]
    made = not path.startswith("/static/") and not is_api_path(path)
    return made and "text/html" in request.headers.get("accept", "")


async def add_headers(message: Message, scope: Scope) -> None:
    """Add the security headers to every answer."""
    if message["type"] != "http.response.start":
        return
    site: Site = scope["litestar_app"].state.site
    message["headers"] = with_security_headers(message["headers"], site.over_tls(scope["scheme"]))
