"""Receives each delivery once, as a WSGI or an ASGI application, or from any framework.

It answers 2xx only after ``on_delivery`` has returned, so a crash costs a retry and never a delivery.

::

    request → verify → claim the id → on_delivery → complete → 204
               │          ├ done: 204              └ raised: release → 500, sent again
               │          └ busy: 409
               └ 400, 401, 405, 413
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from typing import Any, Awaitable, Callable, Dict, Iterable, List, NamedTuple, Optional, Tuple, Union

from ._headers import Headers
from ._seen import MemorySeen, SeenStore
from ._verify import (
    BODY_BYTES_MAX,
    Delivery,
    InvalidDelivery,
    RawBody,
    Secret,
    bytes_of,
    secrets_of,
    verify,
)

#: How long a delivery counts as being handled: three times the sender's time-out, after which it gives up.
HANDLING_SECONDS_MAX = 30.0

_log = logging.getLogger("boathook_receiver")


class Answer(NamedTuple):
    """The HTTP answer to the sender, which reads the status only: 2xx, or it retries."""

    status: int
    text: str = ""
    headers: Tuple[Tuple[str, str], ...] = ()


_HANDLED = Answer(204)
_FAILED = Answer(500, "the delivery was not handled; send it again\n")
_BUSY = Answer(409, "this delivery is being handled; send it again later\n")
_METHOD_NOT_ALLOWED = Answer(405, "deliveries are POSTed\n", (("allow", "POST"),))

OnDelivery = Callable[[Delivery], Union[None, Awaitable[None]]]
OnRejection = Callable[[InvalidDelivery, Headers, bytes], None]


class Receiver:
    """Verifies deliveries and hands each to ``on_delivery`` once.

    ``on_delivery`` does the work, or puts it in your own queue, within ten seconds (spec 8). Only ``asgi`` runs one
    that is a coroutine function. Several processes need a shared ``seen``. A failure goes to the logger
    ``boathook_receiver``, a refusal to ``on_rejection``.
    """

    def __init__(
        self,
        secret: Secret,
        on_delivery: OnDelivery,
        *,
        seen: Optional[SeenStore] = None,
        on_rejection: Optional[OnRejection] = None,
        body_bytes_max: int = BODY_BYTES_MAX,
        handling_seconds_max: float = HANDLING_SECONDS_MAX,
    ) -> None:
        secrets_of(secret)
        self._secret = secret
        self._on_delivery = on_delivery
        self._seen: SeenStore = MemorySeen() if seen is None else seen
        self._on_rejection = on_rejection
        self._body_bytes_max = body_bytes_max
        self._lease_seconds = handling_seconds_max

    def receive(self, method: str, headers: Headers, body: RawBody) -> Answer:
        """Verifies and handles one request. Never raises an ``Exception``."""
        try:
            delivery = self._check(method, headers, body)
            if isinstance(delivery, Answer):
                return delivery
            claimed = self._claim(delivery)
            if claimed is not None:
                return claimed
        except Exception:
            _log.exception("a delivery was not received")
            return _FAILED
        try:
            waiting = self._on_delivery(delivery)
            if inspect.isawaitable(waiting):
                if inspect.iscoroutine(waiting):
                    waiting.close()
                raise TypeError("on_delivery is a coroutine function: serve it with asgi")
        except BaseException as error:
            return self._failed(delivery, error)
        return self._handled(delivery)

    def wsgi(self, environ: Dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """The WSGI application: ``application = receiver.wsgi``."""
        # A server that knows "X-A_B" from "X-A-B" refuses the former, or it is no delivery's header.
        headers = {name[5:].replace("_", "-"): environ[name] for name in environ if name.startswith("HTTP_X_")}
        body = _read_wsgi(environ, self._body_bytes_max)
        answer = self.receive(str(environ.get("REQUEST_METHOD", "")), headers, body)
        text = answer.text.encode()
        sent = _headers_of(answer)
        if answer.status != 204:
            sent.append(("content-length", str(len(text))))
        start_response(f"{answer.status} {_REASONS[answer.status]}", sent)
        return [text]

    async def asgi(self, scope: Dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        """The ASGI application: ``app = receiver.asgi``. It runs a plain ``on_delivery`` on a thread."""
        if scope["type"] != "http":
            raise RuntimeError("receiver.asgi answers HTTP requests; mount it below the application's path")
        body = await self._read_asgi(receive)
        if body is None:
            return
        answer = await self.receive_async(scope["method"], scope["headers"], body)
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in _headers_of(answer)]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": answer.text.encode()})

    async def receive_async(self, method: str, headers: Headers, body: RawBody) -> Answer:
        """Verifies and handles one request in an event loop. Plain functions run on a thread."""
        try:
            delivery = self._check(method, headers, body)
            if isinstance(delivery, Answer):
                return delivery
            claimed = await asyncio.to_thread(self._claim, delivery)
            if claimed is not None:
                return claimed
        except Exception:
            _log.exception("a delivery was not received")
            return _FAILED
        try:
            if inspect.iscoroutinefunction(self._on_delivery):
                waiting: Optional[Awaitable[None]] = self._on_delivery(delivery)
            else:
                waiting = await asyncio.to_thread(self._on_delivery, delivery)
            # Also what an object with an asynchronous __call__ returns: unawaited, it would count as handled.
            if inspect.isawaitable(waiting):
                await asyncio.wait_for(waiting, self._lease_seconds)
        except Exception as error:
            return await asyncio.to_thread(self._failed, delivery, error)
        except BaseException as error:
            return self._failed(delivery, error)
        return await asyncio.to_thread(self._handled, delivery)

    def _check(self, method: str, headers: Headers, body: RawBody) -> Union[Delivery, Answer]:
        if method != "POST":
            return _METHOD_NOT_ALLOWED
        try:
            return verify(body, headers, self._secret, body_bytes_max=self._body_bytes_max)
        except InvalidDelivery as invalid:
            if self._on_rejection is not None:
                self._on_rejection(invalid, headers, bytes_of(body))
            return Answer(invalid.status, f"{invalid.message}\n")

    def _claim(self, delivery: Delivery) -> Optional[Answer]:
        claim = self._seen.claim(delivery.id, self._lease_seconds)
        return {"claimed": None, "done": _HANDLED}.get(claim, _BUSY)

    def _handled(self, delivery: Delivery) -> Answer:
        # A failure of the store changes no answer: only work that failed is sent again.
        try:
            self._seen.complete(delivery.id)
        except Exception:
            _log.exception("delivery %s was handled, but not remembered", delivery.id)
        return _HANDLED

    def _failed(self, delivery: Delivery, error: BaseException) -> Answer:
        _log.error("delivery %s was not handled", delivery.id, exc_info=error)
        try:
            self._seen.release(delivery.id)
        except Exception:
            _log.exception("delivery %s was not released", delivery.id)
        # A cancelled request or an interrupted process goes on ending.
        if not isinstance(error, Exception):
            raise error
        return _FAILED

    async def _read_asgi(self, receive: Callable[..., Any]) -> Optional[bytes]:
        """The body, or the first bytes of one that is too large; None when the sender left."""
        pieces: List[bytes] = []
        size = 0
        while size <= self._body_bytes_max:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            pieces.append(message.get("body", b""))
            size += len(pieces[-1])
            if not message.get("more_body", False):
                break
        return b"".join(pieces)


_REASONS = {
    204: "No Content",
    400: "Bad Request",
    401: "Unauthorized",
    405: "Method Not Allowed",
    409: "Conflict",
    413: "Content Too Large",
    500: "Internal Server Error",
}


def _headers_of(answer: Answer) -> List[Tuple[str, str]]:
    return [*([("content-type", "text/plain; charset=utf-8")] if answer.text else []), *answer.headers]


def _read_wsgi(environ: Dict[str, Any], bytes_max: int) -> bytes:
    """The body; of one that is too large, as much as shows it."""
    length = str(environ.get("CONTENT_LENGTH") or "")
    if length.isascii() and length.isdigit() and len(length) < 20:
        return bytes(environ["wsgi.input"].read(min(int(length), bytes_max + 1)))
    if environ.get("wsgi.input_terminated"):
        return bytes(environ["wsgi.input"].read(bytes_max + 1))
    return b""

