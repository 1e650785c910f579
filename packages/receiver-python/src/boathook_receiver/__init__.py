"""Receives Boathook's webhooks: verifies each delivery and hands it to your code once."""

from ._receiver import HANDLING_SECONDS_MAX, Answer, Receiver
from ._seen import SEEN_ENTRIES_MAX, SEEN_SECONDS, Claim, MemorySeen, SeenStore
from ._verify import BODY_BYTES_MAX, SECRETS_MAX, Delivery, InvalidDelivery, Reason, verify

__all__ = [
    "BODY_BYTES_MAX",
    "HANDLING_SECONDS_MAX",
    "SECRETS_MAX",
    "SEEN_ENTRIES_MAX",
    "SEEN_SECONDS",
    "Answer",
    "Claim",
    "Delivery",
    "InvalidDelivery",
    "MemorySeen",
    "Reason",
    "Receiver",
    "SeenStore",
    "verify",
]
