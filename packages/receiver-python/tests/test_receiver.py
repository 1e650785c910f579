"""Deliveries over WSGI and ASGI, once each, and the store of those that were seen."""

import asyncio
import logging
import unittest
from io import BytesIO
from wsgiref.util import setup_testing_defaults
from wsgiref.validate import validator

from boathook_receiver import MemorySeen, Receiver
from test_vectors import vectors

VECTOR = next(vectors())
logging.getLogger("boathook_receiver").setLevel(logging.CRITICAL)


def over_wsgi(receiver, method="POST", body=VECTOR["body"], **changes):
    environ = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in VECTOR["headers"].items()}
    environ.update({"REQUEST_METHOD": method, "QUERY_STRING": "", "CONTENT_LENGTH": str(len(body)), "wsgi.input": BytesIO(body)})
    environ.update(changes)
    setup_testing_defaults(environ)
    answered = []
    answer = validator(receiver.wsgi)(environ, lambda status, headers, *_: answered.append(status))
    list(answer)
    answer.close()
    return int(answered[0][:3])


def over_asgi(receiver, method="POST", pieces=(VECTOR["body"],), scope_type="http"):
    headers = [(name.lower().encode(), value.encode()) for name, value in VECTOR["headers"].items()]
    messages = [
        {"type": "http.request", "body": piece, "more_body": at + 1 < len(pieces)} for at, piece in enumerate(pieces)
    ]
    sent = []

    async def receive():
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    asyncio.run(receiver.asgi({"type": scope_type, "method": method, "headers": headers}, receive, send))
    return sent[0]["status"] if sent else None


# spec 6.1: at_least_once
class Once(unittest.TestCase):
    def setUp(self):
        self.handled = []

    def receiver(self, **options):
        return Receiver(VECTOR["secret"], lambda delivery: self.handled.append(delivery.type), **options)

    def test_a_duplicate_is_answered_and_not_handled(self):
        for over in (over_wsgi, over_asgi):
            self.handled.clear()
            receiver = self.receiver()
            self.assertEqual([over(receiver), over(receiver)], [204, 204])
            self.assertEqual(self.handled, ["container_available"])

    def test_a_failure_is_handled_again(self):
        def fail_once(delivery):
            self.handled.append(delivery.id)
            if len(self.handled) == 1:
                raise RuntimeError("no room")

        for over in (over_wsgi, over_asgi):
            self.handled.clear()
            receiver = Receiver(VECTOR["secret"], fail_once)
            self.assertEqual([over(receiver), over(receiver), over(receiver)], [500, 204, 204])
            self.assertEqual(len(self.handled), 2)

    def test_a_delivery_that_another_process_handles(self):
        seen = MemorySeen()
        seen.claim(VECTOR["delivery"], 30)
        self.assertEqual(over_wsgi(self.receiver(seen=seen)), 409)
        self.assertEqual(over_asgi(self.receiver(seen=seen)), 409)

    def test_a_store_that_fails(self):
        class Broken(MemorySeen):
            def complete(self, delivery_id):
                raise OSError("gone")

        self.assertEqual(over_wsgi(self.receiver(seen=Broken())), 204)
        Broken.claim = Broken.complete
        self.assertEqual(over_asgi(self.receiver(seen=Broken())), 500)

    def test_refusals(self):
        refused = []
        receiver = self.receiver(on_rejection=lambda invalid, headers, body: refused.append(invalid.reason))
        self.assertEqual(over_wsgi(receiver, method="GET"), 405)
        self.assertEqual(over_wsgi(receiver, body=VECTOR["body"] + b"\n"), 401)
        self.assertEqual(over_wsgi(receiver, body=b" " * (512 * 1024 + 1)), 413)
        self.assertEqual(over_wsgi(receiver, CONTENT_LENGTH=""), 401, "no length: no body")
        self.assertEqual(over_asgi(receiver, pieces=(b" " * 400_000, b" " * 400_000, b" ")), 413)
        self.assertIsNone(over_asgi(receiver, pieces=()), "the sender left")
        self.assertEqual(len(refused), 4)
        self.assertEqual(self.handled, [])

    def test_a_secret_is_required_at_the_start(self):
        with self.assertRaises(ValueError):
            Receiver("", print)


class Asynchronous(unittest.TestCase):
    def test_a_coroutine_function(self):
        handled = []

        async def handle(delivery):
            await asyncio.sleep(0)
            handled.append(delivery.id)

        receiver = Receiver(VECTOR["secret"], handle)
        self.assertEqual(over_wsgi(receiver), 500, "there is no loop to run it")
        self.assertEqual([over_asgi(receiver), over_asgi(receiver)], [204, 204])
        self.assertEqual(len(handled), 1)

    def test_an_object_with_an_asynchronous_call(self):
        class Failing:
            async def __call__(self, delivery):
                raise RuntimeError("no room")

        self.assertEqual(over_asgi(Receiver(VECTOR["secret"], Failing())), 500)

    def test_one_that_is_too_slow(self):
        async def hang(delivery):
            await asyncio.sleep(60)

        self.assertEqual(over_asgi(Receiver(VECTOR["secret"], hang, handling_seconds_max=0.01)), 500)

    def test_one_that_is_cancelled_releases_its_delivery(self):
        seen = MemorySeen()

        async def cancelled(delivery):
            raise asyncio.CancelledError

        with self.assertRaises(asyncio.CancelledError):
            over_asgi(Receiver(VECTOR["secret"], cancelled, seen=seen))
        self.assertEqual(seen.claim(VECTOR["delivery"], 1), "claimed")


class Seen(unittest.TestCase):
    def setUp(self):
        self.now = 0.0

    def test_leases_and_memory_end(self):
        seen = MemorySeen(seconds=100, monotonic=lambda: self.now)
        self.assertEqual([seen.claim("a", 30), seen.claim("a", 30)], ["claimed", "busy"])
        self.now = 30
        self.assertEqual(seen.claim("a", 30), "claimed")
        seen.complete("a")
        self.assertEqual(seen.claim("a", 30), "done")
        self.now = 130
        self.assertEqual(seen.claim("a", 30), "claimed")
        seen.release("a")
        self.assertEqual(seen.claim("a", 30), "claimed")

    def test_it_is_bounded(self):
        seen = MemorySeen(entries_max=10, monotonic=lambda: self.now)
        for number in range(1000):
            seen.complete(str(number))
        self.assertEqual(len(seen._entries), 10)
        self.assertEqual([seen.claim("999", 1), seen.claim("1", 1)], ["done", "claimed"])


if __name__ == "__main__":
    unittest.main()
