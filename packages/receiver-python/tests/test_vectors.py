"""The verification against the vectors that all of Boathook's receivers share."""

import base64
import json
import unittest
from pathlib import Path

from boathook_receiver import InvalidDelivery, verify

VECTORS = Path(__file__).parents[2] / "receiver" / "vectors.json"


def vectors():
    for vector in json.loads(VECTORS.read_text("utf-8"))["vectors"]:
        written = vector.get("body")
        body = base64.b64decode(vector["body_base64"]) if written is None else written.encode()
        yield {**vector, "body": body, "headers": headers_of(vector)}


def headers_of(vector, product="Tracking"):
    parts = {"Signature": vector["signature"], "Event": vector["event"], "Delivery": vector["delivery"]}
    return {f"X-{product}-{part}": value for part, value in parts.items()}


def verdict(body, headers, secret, **options):
    try:
        verify(body, headers, secret, **options)
        return "ok"
    except InvalidDelivery as invalid:
        return invalid.reason


# spec 5.1: comparison
class Vectors(unittest.TestCase):
    def test_every_verdict(self):
        for vector in vectors():
            with self.subTest(vector["name"]):
                self.assertEqual(verdict(vector["body"], vector["headers"], vector["secret"]), vector["verdict"])


class Verify(unittest.TestCase):
    def setUp(self):
        self.vector = next(vectors())

    def verdict(self, headers, **options):
        return verdict(self.vector["body"], headers, self.vector["secret"], **options)

    def test_what_it_returns(self):
        delivery = verify(self.vector["body"], self.vector["headers"], self.vector["secret"])
        self.assertEqual((delivery.product, delivery.type), ("tracking", "container_available"))
        self.assertEqual(delivery.occurred_at, "2026-11-20T08:15:00.000Z")
        self.assertEqual(delivery.data["identifier"], "MSKU1234565")

    def test_headers_in_every_form(self):
        headers = self.vector["headers"]
        pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        for form in (pairs, dict(pairs), {name.upper(): [value] for name, value in headers.items()}):
            self.assertEqual(self.verdict(form), "ok")

    def test_missing_and_repeated_headers(self):
        headers = self.vector["headers"]
        for name in headers:
            less = {each: value for each, value in headers.items() if each != name}
            self.assertEqual(self.verdict(less), "missing_header")
            self.assertEqual(self.verdict([*headers.items(), (name.lower(), headers[name])]), "duplicate_header")
        self.assertEqual(self.verdict({**headers, "X-Proxy-Signature": "sha256="}), "ok")
        self.assertEqual(self.verdict({**headers, **headers_of(self.vector, "Air")}), "duplicate_header")

    def test_any_of_several_secrets(self):
        body, headers, secret = (self.vector[key] for key in ("body", "headers", "secret"))
        self.assertEqual(verdict(body, headers, ["whsec_other", secret]), "ok")
        self.assertEqual(verdict(body, headers, ["whsec_other"]), "wrong_signature")

    def test_a_body_that_is_too_large(self):
        size = len(self.vector["body"])
        self.assertEqual(self.verdict(self.vector["headers"], body_bytes_max=size), "ok")
        self.assertEqual(self.verdict(self.vector["headers"], body_bytes_max=size - 1), "body_too_large")

    def test_mistakes_of_the_program(self):
        headers, secret = self.vector["headers"], self.vector["secret"]
        for wrong in ("", [], [""], None, [None], ["whsec_x"] * 33):
            with self.assertRaises(ValueError):
                verify(b"{}", headers, wrong)
        for parsed in ({}, None, 1):
            with self.assertRaises(TypeError):
                verify(parsed, headers, secret)


if __name__ == "__main__":
    unittest.main()
