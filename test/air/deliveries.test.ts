/** Which deliveries are two, and which are one said twice: docs/decisions/air-status-and-events.md. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { statusOf } from "../../src/products/air/status.ts";
import type { AirEvent } from "../../src/products/air/timeline/air-event.ts";
import { after, answer, event, flight, linesOf, message, part } from "./statements.ts";
import { processorMs } from "../support/processor-time.ts";

describe("deliveries alike", () => {
  const half = (at: number | null, more: Partial<AirEvent> = {}) =>
    event("DLV", "SIN", at, { ...part(5), weightKg: 50, ...more });
  const DAY = 24;

  test("are two if one message or one answer says both", () => {
    for (const at of [20.5, DAY, null]) {
      assert.equal(after(message(30, half(at), half(at))).status, "delivered", `${at}`);
      assert.equal(after(message(30, half(at), half(at)), message(31, half(at))).status, "delivered");
    }
    assert.equal(after(message(30, half(20.5), half(20.7))).status, "delivered");
    assert.equal(after(answer(30, half(20.5)), answer(31, half(20.5), half(20.7))).status, "delivered");
  });

  test("are two if both have no time, and no message has one", () => {
    for (const at of [DAY, null]) {
      assert.equal(after(message(30, half(at)), message(31, half(at))).status, "delivered", `${at}`);
      const notified = event("NFD", "SIN", 19);
      const resent = after(message(30, notified, half(at)), message(31, notified, half(at)));
      assert.equal(resent.status, "available", "a message that says what another says at a time");
    }
  });

  test("are one, as said last, if only a minute differs: half is missing", () => {
    const record = after(message(21, half(20.5)), message(22, half(20.4)));
    assert.deepEqual([record.status, linesOf(record)], ["arrived", ["DLV 5@20.4"]]);
    const thrice = after(message(21, half(20.5)), message(22, half(20.4)), message(23, half(20.6)));
    assert.deepEqual(linesOf(thrice), ["DLV 5@20.6"]);
    assert.equal(after(message(21, half(20.5)), message(22, half(23.5))).status, "delivered", "hours apart");
  });

  test("are one if only one has a time, and of that day", () => {
    const record = after(message(25, half(DAY)), answer(26, half(DAY + 14.5)));
    assert.deepEqual([record.status, linesOf(record)], ["arrived", ["DLV 5@38.5"]]);
    assert.equal(after(message(25, half(null)), answer(26, half(DAY + 14.5))).status, "arrived");
    assert.equal(after(message(25, half(DAY)), answer(60, half(3 * DAY + 9.5))).status, "delivered");
  });

  test("are one within three hours of a midnight, which may be a time", () => {
    assert.equal(after(message(23, half(DAY - 2.5)), message(25, half(DAY))).status, "arrived");
    assert.equal(after(message(23, half(DAY - 4)), message(25, half(DAY))).status, "delivered");
  });

  test("are one wherever a source puts them, and though one leaves out the flight", () => {
    for (const more of [{ station: null }, { station: "XSP" }, flight("8001")]) {
      for (const at of [20.5, 20.6]) {
        const record = after(message(21, half(20.5)), answer(22, half(at, more)));
        assert.equal(record.status, "arrived", JSON.stringify({ more, at }));
      }
    }
  });

  test("are two if they came by other flights", () => {
    const [one, other] = [half(20.5, flight("8001")), half(20.6, flight("8003"))];
    assert.equal(after(message(21, one), message(22, other)).status, "delivered");
  });

  test("are one if their weight was only rounded or converted", () => {
    for (const weightKg of [50.4, 49.6]) {
      const record = after(message(21, half(20.5)), answer(22, half(20.6, { weightKg })));
      assert.equal(record.status, "arrived", `${weightKg}`);
    }
  });

  describe("to the door", () => {
    const airport = (at: number, pieces = 5, more: Partial<AirEvent> = {}) =>
      event("DLV", "SIN", at, { ...part(pieces), ...more });
    const door = (at: number, pieces = 5, more: Partial<AirEvent> = {}) =>
      event("DDL", "SIN", at, { ...part(pieces), ...more });
    const statusAfter = (...said: readonly AirEvent[]): string =>
      after(...said.map((one, index) => message(120 + index, one))).status;

    test("may be of the pieces that the airport handed out, however long before", () => {
      for (const at of [20.1, 22, 29, 90])
        assert.equal(statusAfter(airport(20), door(at)), "arrived", `${at}`);
      assert.equal(after(message(23, airport(20), door(22))).status, "arrived", "in one message");
      assert.equal(after(answer(30, airport(20), door(29))).status, "arrived", "in one answer");
      assert.equal(statusAfter(airport(20), door(19)), "arrived", "the code put right");
    });

    test("may be of the pieces of the airport without a time, or with a day only", () => {
      const untimed = event("DDL", "SIN", null, part(5));
      assert.equal(statusAfter(airport(20), untimed), "arrived");
      assert.equal(statusAfter(event("DLV", "SIN", null, part(5)), door(20)), "arrived");
      assert.equal(statusAfter(airport(40), door(24)), "arrived", "on one day");
      assert.equal(statusAfter(airport(60), door(24)), "delivered", "on the day after");
    });

    test("may be of several that were handed out, or some of one", () => {
      assert.equal(statusAfter(airport(20, 2), airport(30, 3), door(40)), "arrived");
      assert.equal(statusAfter(airport(20, 6), door(30, 3), door(40, 3)), "arrived");
      assert.equal(statusAfter(airport(20, 6), door(30, 1), door(40, 2), door(50, 3)), "arrived");
      assert.equal(statusAfter(airport(20, 4), airport(30, 1), door(40, 4)), "arrived");
    });

    test("complete the whole with those of the airport that they cannot be", () => {
      assert.equal(statusAfter(airport(20, 4), door(30, 6)), "delivered");
      assert.equal(statusAfter(door(20), airport(40)), "delivered", "handed out after it was at the door");
      assert.equal(statusAfter(airport(20), door(30), airport(40)), "delivered");
      assert.equal(statusAfter(airport(20), door(30), door(40)), "delivered");
      assert.equal(statusAfter(airport(20, 4), door(22, 4), airport(30, 3), door(40, 3)), "arrived");
      assert.equal(
        statusAfter(airport(20, 5, flight("8001")), door(30, 5, flight("8003"))),
        "delivered",
        "of other flights",
      );
      assert.equal(
        statusAfter(airport(20, 5, { weightKg: 50 }), door(30, 5, { weightKg: 70 })),
        "delivered",
        "of another weight",
      );
    });

    test("that show what was handed out to be of fewer pieces take the delivery back", () => {
      assert.equal(statusAfter(airport(20, 6), door(30, 4)), "delivered");
      assert.equal(statusAfter(airport(20, 6), door(30, 4), door(40, 2)), "arrived");
    });

    test("of more pieces than a shipment has conclude nothing", () => {
      const huge = { pieces: 500_000_000_000, totalPieces: 1_000_000_000_000 };
      const consignment = { origin: "FRA", destination: "SIN", pieces: 1_000_000_000_000 };
      assert.equal(statusOf([airport(20, 5, huge), door(40, 5, huge)], consignment).status, "arrived");
    });

    test("of two thousand parts are added up in a second", () => {
      const parts = Array.from({ length: 1_000 }, (_, index) => [airport(index), door(index + 0.5)]).flat();
      const many = parts.map((one, index) => ({ ...one, pieces: 40 + (index % 50), totalPieces: 90_000 }));
      const ms = processorMs(() => statusOf(many, { origin: "FRA", destination: "SIN", pieces: 90_000 }));
      assert.ok(ms < 1_000, `${ms} ms`);
    });
  });

  test("of parts count though one was first said to be of the whole", () => {
    const whole = event("DLV", "SIN", 20, { pieces: 10, shipmentPart: "total" });
    const some = event("DLV", "SIN", 20, part(6));
    const rest = event("DLV", "SIN", 30, part(4));
    assert.equal(after(message(21, whole), message(22, some)).status, "arrived");
    const both = after(message(21, whole), message(22, some), message(31, rest));
    assert.deepEqual([both.status, linesOf(both)], ["delivered", ["DLV 6@20", "DLV 4@30"]]);
  });

  test("are one if the quantity of one could not be read, though neither has a time", () => {
    for (const at of [20.5, DAY, null]) {
      const unread = half(at, { pieces: null });
      assert.equal(after(message(21, unread), message(22, half(at))).status, "arrived", `${at}`);
    }
  });

  test("are two if they weigh another weight", () => {
    assert.equal(
      after(message(21, half(20.5)), message(22, half(20.4, { weightKg: 51 }))).status,
      "delivered",
    );
  });

  test("of the whole are corrected by a part of the same minute", () => {
    const whole = event("DLV", "SIN", 20.5, { pieces: 10, shipmentPart: "total" });
    assert.equal(after(message(21, whole), message(22, half(20.5))).status, "arrived");
    assert.equal(after(message(21, half(20.5)), message(22, whole)).status, "delivered");
    assert.equal(after(message(21, whole), message(22, half(18))).status, "delivered", "late, of before");
  });
});
