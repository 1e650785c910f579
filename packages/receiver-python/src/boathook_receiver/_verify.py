"""Verifies a delivery (spec 5.1).

Compares the HMAC-SHA256 of the raw body under the endpoint's secret in constant time, and checks that the body's
id and type match the headers.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from dataclasses import dataclass
from typing import Any, Dict, Literal, Mapping, NoReturn, Sequence, Tuple, Union

from ._headers import PARTS, Headers, group_by_product

#: The largest accepted body, in bytes: twice the 256 KiB that an event's data may have.
BODY_BYTES_MAX = 512 * 1024

#: The most secrets tried for one body.
SECRETS_MAX = 32

#: The body as received. A string counts as UTF-8.
RawBody = Union[bytes, bytearray, memoryview, str]

#: The endpoint's ``whsec_…`` secret, or several: during a rotation, or one for each product.
Secret = Union[str, Sequence[str]]

Reason = Literal[
    "missing_header",
    "duplicate_header",
    "malformed_signature",
    "wrong_signature",
    "malformed_body",
    "mismatched_id",
    "mismatched_type",
    "body_too_large",
]

_STATUS_OF_REASON: Dict[str, int] = {
    "malformed_signature": 401,
    "wrong_signature": 401,
    "body_too_large": 413,
}

_SIGNATURE = re.compile(r"sha256=[0-9a-f]{64}")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Delivery:
    """A verified delivery (spec 2.3)."""

    #: UUID, the same on every attempt: deduplicate on it.
    id: str
    #: For example ``container_available``. Ignore types that you do not know.
    type: str
    #: When the event was raised, UTC, ISO 8601: order by it. Retries do not change it.
    occurred_at: str
    #: The event's data. Properties may be added to it at any time.
    data: Mapping[str, Any]
    #: ``tracking``, ``air`` … from the header's name, which the signature does not cover.
    product: str


class InvalidDelivery(Exception):
    """The request is not a delivery signed with the secret: a mistake of the sender."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason: Reason = reason
        #: A sentence for the log.
        self.message = message
        #: The HTTP status to answer with: 400, 401 or 413.
        self.status = _STATUS_OF_REASON.get(reason, 400)


def verify(body: RawBody, headers: Headers, secret: Secret, *, body_bytes_max: int = BODY_BYTES_MAX) -> Delivery:
    """Verifies one delivery.

    Raises ``InvalidDelivery`` for a mistake of the sender. A parsed body raises ``TypeError`` and a missing secret
    ``ValueError``: those are mistakes of the program.
    """
    raw = bytes_of(body)
    keys = secrets_of(secret)
    if len(raw) > body_bytes_max:
        _refuse("body_too_large", f"the body is larger than {body_bytes_max} bytes")
    product, signature, event, delivery_id = _read_headers(headers)
    if not _is_signed(raw, signature, keys):
        _refuse("wrong_signature", "the signature does not match the body and the secret")
    delivery = _parse(raw, product)
    if delivery.id != delivery_id:
        _refuse("mismatched_id", f"the body's id does not match x-{product}-delivery")
    if delivery.type != event:
        _refuse("mismatched_type", f"the body's type does not match x-{product}-event")
    return delivery


def bytes_of(body: RawBody) -> bytes:
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    raise TypeError(f"the raw body is needed, as bytes, not a parsed one: got {type(body).__name__}")


def secrets_of(secret: Secret) -> Sequence[bytes]:
    secrets = (secret,) if isinstance(secret, str) else tuple(secret or ())
    if not secrets or any(not isinstance(one, str) or one == "" for one in secrets):
        raise ValueError("the signing secret is missing: pass the endpoint's whsec_… secret, or a list of them")
    if len(secrets) > SECRETS_MAX:
        raise ValueError(f"more than {SECRETS_MAX} signing secrets")
    return [one.encode() for one in secrets]


def _read_headers(headers: Headers) -> Tuple[str, str, str, str]:
    signed = {product: parts for product, parts in group_by_product(headers).items() if parts["signature"]}
    if not signed:
        _refuse("missing_header", "there is no X-<Product>-Signature header")
    # A proxy may add an X-…-Signature of its own; only a delivery also has the id header.
    candidates = list(signed) if len(signed) == 1 else [each for each in signed if signed[each]["delivery"]]
    if len(candidates) != 1:
        names = ", ".join(f"x-{product}-signature" for product in signed)
        _refuse("duplicate_header", f"more than one signature header: {names}")
    product = candidates[0]
    for part in PARTS:
        count = len(signed[product][part])
        if count == 0:
            _refuse("missing_header", f"there is no x-{product}-{part} header")
        if count > 1:
            _refuse("duplicate_header", f"the x-{product}-{part} header came {count} times")
    signature, event, delivery_id = (signed[product][part][0] for part in PARTS)
    if _SIGNATURE.fullmatch(signature) is None:
        _refuse(
            "malformed_signature",
            f'x-{product}-signature is not "sha256=" followed by 64 lower-case hex digits',
        )
    return product, signature, event, delivery_id


def _is_signed(body: bytes, signature: str, keys: Sequence[bytes]) -> bool:
    signed = False
    # Try every secret, so the time does not reveal which one matches (spec 5.1: comparison).
    for key in keys:
        wanted = "sha256=" + hmac.new(key, body, hashlib.sha256).hexdigest()
        signed = hmac.compare_digest(wanted.encode(), signature.encode()) or signed
    return signed


def _parse(body: bytes, product: str) -> Delivery:
    """The four keys (spec 2.3), and any that a later version adds."""
    try:
        parsed = json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        parsed = None
    data = parsed.get("data") if isinstance(parsed, dict) else None
    if isinstance(parsed, dict) and isinstance(data, dict):
        delivery_id, name, occurred_at = (_string(parsed.get(key)) for key in ("id", "type", "occurred_at"))
        if _UUID.fullmatch(delivery_id) and name and occurred_at:
            return Delivery(delivery_id, name, occurred_at, data, product)
    _refuse("malformed_body", "the body is signed, but it is not a delivery")


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _refuse(reason: Reason, message: str) -> NoReturn:
    raise InvalidDelivery(reason, message)
