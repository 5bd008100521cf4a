"""A form that was sent by somebody who had to sign in first: the browser keeps it, and it goes on by one button.

It is never done by itself: the page asks, and what its button sends carries the token of whoever is signed in by then.
"""

from __future__ import annotations

from litestar import MediaType, Response, get, post
from litestar.response import Redirect

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.forms import SECRET, see
from korgool.app.server.http.responses import AnyRequest, page, redirect_to_sign_in, visitors_of
from korgool.app.server.http.return_address import local, referring_page
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.http.visitors import TOKEN_FIELD, ResumedForm

_HIDDEN = frozenset({"do", "id", "after", "back", "next", "version", "form", "language"})
"""Fields of a form that nobody has typed."""


@post("/wish", action=ANYBODY, open=True, include_in_schema=False)
async def keep_wish(request: AnyRequest) -> Redirect:
    """Let the browser keep the form that was sent on to here, and lead to the form for signing in (`asked`), or to the
    button where nothing but its token was too old.

    Raises:
        ApiError: 403, it is too long to be kept, and the page that it stands on was too old.
    """
    form, visitors = await request.form(), visitors_of(request)
    if request.headers.get("sec-fetch-site") != "same-origin" and not visitors.knows(request, form.get(TOKEN_FIELD)):
        return see("/")  # nothing shows that a page of this site has sent it
    fields = [(name, value) for name, value in form.multi_items() if name != TOKEN_FIELD]
    typed = tuple((name, value) for name, value in fields if isinstance(value, str) and name not in SECRET)
    asked, back = "asked" in request.query_params, referring_page(request)
    cookie = None
    if len(typed) == len(fields):
        cookie = visitors.resumed_form_cookie(
            request, ResumedForm(local(request.query_params.get("to", "")), back, typed)
        )
    if cookie is None:
        if asked:
            return redirect_to_sign_in(back, "lost")
        raise ApiError(403, errors.FORM_TOO_OLD)
    answer = redirect_to_sign_in("/wish", "kept") if asked else see("/wish")
    answer.cookies.append(cookie)
    return answer


@get("/wish", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def wish_page(request: AnyRequest) -> Response[str] | Redirect:
    """The form that the browser keeps, and the button that sends it."""
    wish = visitors_of(request).wish(request)
    if wish is None:
        return see("/")
    shown = [value for name, value in wish.fields if value.strip() and name not in _HIDDEN]
    return page(request, "wish.html", wish=wish, shown=shown)


handlers = [keep_wish, wish_page]
