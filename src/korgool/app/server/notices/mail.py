"""E-mail over the operator's SMTP server, which may be slow, or hang: one message at a time, in a thread of its own."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import smtplib
import socket
import ssl
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

from korgool.app.server.settings import SmtpSettings

_SECONDS = 10.0
"""The most seconds for one step of a conversation with the SMTP server."""
_AGAIN = 0.1
"""Seconds until a conversation that has taken too long is cut off again."""
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?=.{1,255}$)[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})+")


class MailError(Exception):
    """A message that was not sent.

    Attributes:
        forever: whether the server refuses this recipient for good.
    """

    def __init__(self, reason: str, *, forever: bool = False) -> None:
        super().__init__(reason)
        self.forever = forever


def is_address(text: str) -> bool:
    """Whether a text is an e-mail address as people have them; quoted and international ones are not."""
    return _ADDRESS.fullmatch(text) is not None and ".." not in text


class Mailer:
    """Sends messages.

    Args:
        settings: where to.
        context: the certificates that are trusted; the system's without it.
        seconds: the most seconds for a whole message, however slowly the server answers.
    """

    def __init__(
        self, settings: SmtpSettings, context: ssl.SSLContext | None = None, seconds: float = 3 * _SECONDS
    ) -> None:
        self._settings = settings
        self._context = ssl.create_default_context() if context is None else context
        self._seconds = seconds
        self._thread = ThreadPoolExecutor(1, "korgool-mail")
        self._client: smtplib.SMTP | None = None
        self._closed = False

    async def send(self, to: str, subject: str, text: str, stop: str) -> None:
        """Send one message.

        Args:
            to: the recipient.
            subject: one line.
            text: the body.
            stop: the URL that ends all messages to this address, in one click (RFC 8058).

        Raises:
            MailError: it was not sent.
        """
        loop = asyncio.get_running_loop()
        limit: asyncio.TimerHandle

        def abort() -> None:
            nonlocal limit
            self._abort()
            limit = loop.call_later(_AGAIN, abort)  # the connection may only now be made

        limit = loop.call_later(self._seconds, abort)
        try:
            message = self._message(to, subject, text, stop)
            await loop.run_in_executor(self._thread, self._deliver, message)
        except smtplib.SMTPRecipientsRefused as error:
            codes = [code for code, _ in error.recipients.values()]
            raise MailError(f"the recipient is refused: {codes}", forever=all(code >= 500 for code in codes)) from error
        except (smtplib.SMTPException, OSError, ValueError, AttributeError, RuntimeError) as error:
            # The last two: the connection, or the thread, was taken away.
            raise MailError(" ".join(str(error).split())[:200] or type(error).__name__) from error
        finally:
            limit.cancel()

    def _message(self, to: str, subject: str, text: str, stop: str) -> EmailMessage:
        """The message with its headers; raises ValueError where one of them is more than a line."""
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._settings.sender, to, subject
        message["Date"], message["Message-ID"] = (
            formatdate(),
            make_msgid(domain=self._settings.sender.partition("@")[2]),
        )
        message["Auto-Submitted"] = "auto-generated"
        message["List-Unsubscribe"], message["List-Unsubscribe-Post"] = f"<{stop}>", "List-Unsubscribe=One-Click"
        message.set_content(text)
        return message

    def _deliver(self, message: EmailMessage) -> None:
        settings = self._settings
        if self._closed:
            raise MailError("the server stops")
        client = self._client = smtplib.SMTP(timeout=_SECONDS)
        try:
            client.connect(settings.host, settings.port)
            client.ehlo()
            if client.has_extn("starttls"):
                client._host = settings.host  # type: ignore[attr-defined]  # the name that the certificate must have
                client.starttls(context=self._context)
                client.ehlo()
            elif settings.user or not is_here(settings.host):
                raise smtplib.SMTPNotSupportedError("the SMTP server offers no STARTTLS")
            if settings.user:
                client.login(settings.user, settings.password)
            client.send_message(message)
            with suppress(smtplib.SMTPException, OSError):
                client.quit()
        finally:
            self._client = None
            client.close()

    def _abort(self) -> None:
        """End the conversation that goes on in the thread."""
        client = self._client
        sock = None if client is None else client.sock
        if sock is not None:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Stop; a message on its way is abandoned."""
        self._closed = True
        self._abort()
        self._thread.shutdown(wait=False, cancel_futures=True)


def is_here(host: str) -> bool:
    """Whether the SMTP server runs on this machine, where nobody else reads along."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
