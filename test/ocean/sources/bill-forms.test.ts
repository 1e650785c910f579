/** The forms in which carriers are asked for a bill of lading. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createCarrierClient } from "../../../src/products/ocean/sources/carrier-client.ts";
import type { Carrier } from "../../../src/products/ocean/sources/carriers.ts";
import type { HttpPort } from "../../../src/freight/upstream/http.ts";
import { manualClock } from "../../support/clock.ts";
import { answered } from "../harbour.ts";
import { HERON, TERN } from "../shipping-lines.ts";

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
