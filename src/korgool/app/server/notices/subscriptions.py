"""Values of web push, which need no further package: subscriptions, and answers of push services."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser's subscription to notices.

    Attributes:
        endpoint: the URL of its push service.
        p256dh: its public key, in base64url.
        auth: its secret, in base64url.
        language: the language of its page.
    """

    endpoint: str
    p256dh: str
    auth: str
    language: str = "en"


@dataclass(frozen=True, slots=True)
class PushResponse:
    """The answer of a push service.

    Attributes:
        status: of HTTP; 0 where there was no answer.
        wait: the seconds after which to come again, if it says so.
    """

    status: int
    wait: float | None = None

    @property
    def done(self) -> bool:
        """True if the message was taken."""
        return 200 <= self.status < 300

    @property
    def gone(self) -> bool:
        """True if the subscription does not exist any more."""
        return self.status in {404, 410}

    @property
    def later(self) -> bool:
        """True if another attempt makes sense."""
        return self.status in {0, 408, 429} or self.status >= 500
