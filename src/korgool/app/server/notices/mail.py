"""E-mail over the operator's SMTP server, which may be slow, or hang: one message at a time, in a thread of its own."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import smtplib
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

from korgool.app.server.core.settings import SmtpSettings
from korgool.app.server.limits.deadline_pool import DeadlinePool

_SECONDS = 10.0
"""The most seconds for one step of a conversation with the SMTP server."""
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
    """Return whether a text is an e-mail address as people have them; quoted and international ones are not."""
    return _ADDRESS.fullmatch(text) is not None and ".." not in text


class _Conversation:
    """A conversation with the SMTP server in one thread, which another may cut off at any time."""

    def __init__(self) -> None:
        self._over = threading.Event()
        self._handle: socket.socket | None = None

    @contextmanager
    def with_server(self, host: str, port: int) -> Iterator[smtplib.SMTP]:
        """Connect; once the conversation is cut off, each step fails at once.

        Raises:
            OSError: there is no connection.
            smtplib.SMTPException: the server does not welcome us.
        """
        with socket.create_connection((host, port), _SECONDS) as connection, connection.dup() as self._handle:
            if self._over.is_set():  # while there was no handle yet
                raise TimeoutError("cut off before it began")
            client = smtplib.SMTP()
            client.sock = connection
            try:
                code, said = client.getreply()
                if code != 220:
                    raise smtplib.SMTPConnectError(code, said)
                yield client
            finally:
                client.close()

    def cut_off(self) -> None:
        """End it. The handle is the connection's also during a TLS handshake, when the socket itself is taken."""
        self._over.set()
        handle = self._handle
        if handle is not None:
            with suppress(OSError):
                handle.shutdown(socket.SHUT_RDWR)


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
        self._thread = DeadlinePool("mail", 1, seconds + 10.0)
        self._conversations: set[_Conversation] = set()

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
        loop, conversation = asyncio.get_running_loop(), _Conversation()
        limit = loop.call_later(self._seconds, conversation.cut_off)
        self._conversations.add(conversation)
        try:
            message = self._message(to, subject, text, stop)
            await loop.run_in_executor(self._thread, self._deliver, message, conversation)
        except smtplib.SMTPRecipientsRefused as error:
            codes = [code for code, _ in error.recipients.values()]
            raise MailError(f"the recipient is refused: {codes}", forever=all(code >= 500 for code in codes)) from error
        except (smtplib.SMTPException, OSError, ValueError, AttributeError, RuntimeError) as error:
            # The last two: the connection, or the thread, was taken away.
            raise MailError(" ".join(str(error).split())[:200] or type(error).__name__) from error
        finally:
            limit.cancel()
            conversation.cut_off()  # where nobody waits for it any more
            self._conversations.discard(conversation)

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

    def _deliver(self, message: EmailMessage, conversation: _Conversation) -> None:
        settings = self._settings
        with conversation.with_server(settings.host, settings.port) as client:
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

    def close(self) -> None:
        """Stop; a message on its way is abandoned."""
        for conversation in self._conversations:
            conversation.cut_off()
        self._thread.shutdown(wait=False, cancel_futures=True)


def is_here(host: str) -> bool:
    """Return whether the SMTP server runs on this machine, where nobody else reads along."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
