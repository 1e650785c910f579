import assert from "node:assert/strict";
import { test } from "node:test";

import { ACCOUNT, asking, BOX, outcome, TWO } from "./asking.ts";
import { createCarrierClient } from "../../../src/products/ocean/sources/carrier-client.ts";
import type { Carrier } from "../../../src/products/ocean/sources/carriers.ts";
import type { HttpPort } from "../../../src/freight/upstream/http.ts";
import { manualClock } from "../../support/clock.ts";
import { answered } from "../harbour.ts";
import { HERON, TERN } from "../shipping-lines.ts";

test("a reference is asked for by the carrier's own path, names and fixed parameters", () =>
  asking(
    {
      headers: { "X-Client": "boathook" },
      parameters: { lang: "en" },
      question: {
        path: "/track",
        references: {
          container_id: { parameters: { cntrNo: "{reference}", searchType: "C", noDup: "{reference}" } },
          bill_of_lading: { path: "/bills/{reference}/moves" },
          booking: null,
        },
        limit: { parameter: "size", max: 100 },
      },
    },
    () => ({ body: TWO }),
    async ({ client, carrier, asked, requests }) => {
      assert.equal(outcome(await client.fetch(carrier, "container_id", BOX)), "2");
      assert.equal(outcome(await client.fetch(carrier, "bill_of_lading", "XX/1 2")), "2");
      assert.equal(outcome(await client.fetch(carrier, "booking", "B1")), "not_found");
      assert.deepEqual(asked, [
        `/api/track?cntrNo=${BOX}&searchType=C&noDup=${BOX}&size=100&lang=en`,
        "/api/bills/XX/1+2/moves?size=100&lang=en".replace("XX/1+2", "XX/1 2"),
      ]);
      assert.equal(requests[1]?.url.pathname, "/api/bills/XX%2F1%202/moves");
      assert.equal(requests[0]?.headers["x-client"], "boathook");
    },
  ));

test("each version asks by its own names, and a carrier's empty parameter takes away a default", async () => {
  const types = "eventTypes=SHIPMENT,TRANSPORT,EQUIPMENT";
  const three = { api: "dcsa-tnt-3.0" };
  for (const [entry, type, reference, question, version] of [
    [{}, "container_id", BOX, `equipmentReference=${BOX}`],
    [{}, "booking", "B1", "carrierBookingReference=B1"],
    [{ api: "dcsa-tnt-1.1" }, "container_id", BOX, `equipmentReference=${BOX}`],
    [{ api: "dcsa-tnt-1.1" }, "bill_of_lading", "B/L", "billOfLadingNumber=B/L"],
    [{ api: "dcsa-tnt-1.1" }, "booking", "B1", "bookingReference=B1"],
    [three, "booking", "B1", `carrierBookingReference=B1&${types}`, "3.0.0"],
    [
      { ...three, parameters: { eventTypes: "", limit: "50" } },
      "booking",
      "B1",
      "carrierBookingReference=B1&limit=50",
    ],
  ] as const) {
    const reply = () => ({ body: { events: TWO } });
    await asking(entry, reply, async ({ client, carrier, asked, requests }) => {
      await client.fetch(carrier, type, reference);
      assert.deepEqual(asked, [`/api/events?${question}`]);
      if (version !== undefined) assert.equal(requests[0]?.headers["api-version"], version);
    });
  }
});

const OTHER = "0198c0de-0000-7000-8000-000000000002";

test("an account's shipments are asked for with its parameters and headers, and others' not at all where it says so", () =>
  asking(
    {
      accountsOnly: true,
      parameters: { behalfOf: "nobody" },
      headers: { "X-Key": "ours" },
      accounts: { [ACCOUNT]: { parameters: { behalfOf: "4711" }, headers: { "x-key": "theirs" } } },
    },
    () => ({ body: TWO }),
    async ({ client, carrier, asked, requests }) => {
      const ask = async (account?: string) =>
        outcome(await client.fetch(carrier, "container_id", BOX, null, false, account));
      assert.deepEqual([await ask(ACCOUNT), await ask(OTHER), await ask()], ["2", "not_found", "not_found"]);
      assert.deepEqual(asked, [`/api/events?equipmentReference=${BOX}&behalfOf=4711`]);
      assert.equal(requests[0]?.headers["x-key"], "theirs");
    },
  ));

const MAERSK: Carrier = { ...HERON, scac: "MAEU" };
const KNOWN = ["MAEU123456789", "987654321", "MAEU55555555"];
const departure = {
  eventType: "TRANSPORT",
  transportEventTypeCode: "DEPA",
  eventClassifierCode: "ACT",
  eventDateTime: "2026-03-10T19:24:00+09:00",
};

/** Asks for a bill, and returns the forms asked for and the answer. */
function asker(): (reference: string, carrier?: Carrier) => Promise<string> {
  const asked: string[] = [];
  const http: HttpPort = async (url) => {
    const bill = url.searchParams.get("transportDocumentReference") ?? "";
    asked.push(bill);
    return KNOWN.includes(bill) ? answered(200, JSON.stringify([departure])) : answered(404, "");
  };
  const random = { fraction: () => 1 };
  const client = createCarrierClient({ carriers: [MAERSK, TERN], http, clock: manualClock(), random });
  return async (reference, carrier = MAERSK) => {
    asked.length = 0;
    const { kind } = await client.fetch(carrier, "bill_of_lading", reference);
    return `${asked.join(", ")}: ${kind}`;
  };
}

test("a bill of lading is asked for as written, then as its carrier may write it", async () => {
  const ask = asker();
  assert.equal(await ask("MAEU123456789"), "MAEU123456789: events");
  assert.equal(await ask("SUDU987654321"), "SUDU987654321, 987654321: events", "a SCAC of the same line");
  assert.equal(await asker()("55555555"), "55555555, MAEU55555555: events");
  assert.equal(await asker()("MAEU000000000"), "MAEU000000000, 000000000: not_found");
});

test("the form that a carrier knew last is asked for first", async () => {
  const ask = asker();
  assert.equal(await ask("MAEU987654321"), "MAEU987654321, 987654321: events");
  assert.equal(await ask("MAEU987654321"), "987654321: events");
  assert.equal(await ask("MAEU123456789"), "123456789, MAEU123456789: events");
  assert.equal(await ask("MAEU123456789"), "MAEU123456789: events");
});

test("a number is asked for as it is where no other form can be meant", async () => {
  const ask = asker();
  assert.equal(await ask("MAEU1234"), "MAEU1234: not_found", "four digits are no bill");
  assert.equal(await ask("TRNC987654321"), "TRNC987654321: not_found", "another carrier's");
  assert.equal(await ask("11111111", TERN), "11111111: not_found", "no bills known by its SCAC");
  const withPrefix = { ...TERN, billPrefixes: ["TERN"] };
  assert.equal(await ask("11111111", withPrefix), "11111111, TRNC11111111: not_found");
});
