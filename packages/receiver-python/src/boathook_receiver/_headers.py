"""Finds the three headers of a delivery (spec 5.1), whatever form a framework gives them.

They are ``X-<Product>-Signature``, ``X-<Product>-Event`` and ``X-<Product>-Delivery``, in any case.
"""

from __future__ import annotations

import re
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Tuple, Union

#: A mapping such as ``request.headers``, or pairs as ASGI has them. Values are text, bytes or lists of them.
Headers = Union[Mapping[Any, Any], Iterable[Tuple[Any, Any]]]

PARTS = ("signature", "event", "delivery")

_DELIVERY_HEADER = re.compile(r"x-([a-z0-9-]{1,40})-(signature|event|delivery)")

#: Per product, the values of each part in the order in which they came.
Found = Dict[str, Dict[str, List[str]]]


def group_by_product(headers: Headers) -> Found:
    found: Found = {}
    for name, value in _pairs(headers):
        match = _DELIVERY_HEADER.fullmatch(name.lower())
        if match is None:
            continue
        product, part = match.groups()
        found.setdefault(product, {each: [] for each in PARTS})[part].append(value)
    return found


def _pairs(headers: Headers) -> Iterator[Tuple[str, str]]:
    # Not isinstance of Mapping: Flask's, Starlette's and http.server's headers are none, and have items().
    items = getattr(headers, "items", None)
    for name, value in headers if items is None else items():
        for one in value if isinstance(value, (list, tuple)) else (value,):
            yield _text(name), _text(one)


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
