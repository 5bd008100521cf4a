"""What a browser calls itself, in words that its owner knows."""

from __future__ import annotations

import re
from dataclasses import dataclass

_BROWSERS = (
    ("Edg(?:e|A|iOS)?/", "Edge"),
    ("OPR/|Opera", "Opera"),
    ("YaBrowser/", "Yandex"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/|FxiOS/", "Firefox"),
    ("Chrom(?:e|ium)/|CriOS/|HeadlessChrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""Most browsers call themselves by the names of others too, which come later here."""
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone|iPad", "iOS"),
    ("Windows", "Windows"),
    ("Mac OS X|Macintosh", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux|X11", "Linux"),
)


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser that signs in, or tries to.

    Attributes:
        agent: the beginning of its `User-Agent`.
        cookie: its device cookie (`device_cookies`); empty without one.
    """

    agent: str = ""
    cookie: str = ""


def browser_of(device: str) -> str:
    """A browser and its system, such as `Firefox · Android`; what is neither is shown as it calls itself.

    Args:
        device: the beginning of a `User-Agent`.
    """
    found = [next((name for sign, name in signs if re.search(sign, device)), "") for signs in (_BROWSERS, _SYSTEMS)]
    return " · ".join(filter(None, found)) or device
