/** The routes that carriers push to: which callbacks are accepted, and what they cause. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, beforeEach, describe, test } from "node:test";

import { createReferenceIndex } from "../../src/freight/reference-index/reference-index.ts";
import { callbackRoutes } from "../../src/products/ocean/routes/callback.ts";
import type { Route } from "../../src/http/product.ts";
import { createCarrierCallbacks, type CarrierCallbacks } from "../../src/products/ocean/sources/callback.ts";
import type { Carrier } from "../../src/products/ocean/sources/carriers.ts";
import { HOUR_MS } from "../../src/runtime/durations.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { insertOrGetShipment } from "../../src/freight/tracking/store/shipments.ts";
import { HERON, TERN } from "../ocean/shipping-lines.ts";
import { createCaller, send, startService, type Answer, type TestService } from "../support/service.ts";

const SECRET = Buffer.from("a secret of two and thirty bytes").toString("base64");
const NEXT_SECRET = Buffer.from("the secret that will replace it.").toString("base64");
const CARRIERS: readonly Carrier[] = [
  { ...HERON, callbackSecrets: [NEXT_SECRET, SECRET] },
  { ...TERN, api: "dcsa-tnt-3.0", callbackSecrets: [SECRET] },
  { ...TERN, scac: "PLVR" },
];

const EVENT = {
  eventType: "EQUIPMENT",
  equipmentEventTypeCode: "DISC",
  eventClassifierCode: "ACT",
  eventDateTime: "2026-03-10T19:24:00+09:00",
  equipmentReference: "HRNU4000017",
  documentReferences: [
    { documentReferenceType: "BKG", documentReferenceValue: "hrn-0040001" },
    { documentReferenceType: "ARN", documentReferenceValue: "NOTICE77" },
  ],
};

function signatureOf(body: string, secret = SECRET): string {
  return `sha256=${createHmac("sha256", Buffer.from(secret, "base64")).update(body).digest("hex")}`;
}

describe("callbacks of carriers", () => {
  let service: TestService;
  let accountId: string;
  let woken = 0;
  const random = systemRandom();

  before(async () => {
    const callbacks = (): CarrierCallbacks =>
      createCarrierCallbacks({
        database: service.test.database,
        index: createReferenceIndex({ ...service.test, clock: service.clock }),
        clock: service.clock,
        carriers: CARRIERS,
        wake: () => (woken += 1),
      });
    const lazily: CarrierCallbacks = {
      apiOf: (scac) => callbacks().apiOf(scac),
      handle: (...sent) => callbacks().handle(...sent),
    };
    const open: readonly Route[] = [(app, context) => callbackRoutes(app, context, lazily)];
    service = await startService({ productRoutes: new Map([["tracking", { keyed: [], open }]]) });
  });
  after(() => service.close());
  beforeEach(async () => {
    woken = 0;
    ({ accountId } = await createCaller(service, "tracking"));
  });

  const inCells = (sql: string, ...values: unknown[]) =>
    service.test.queryEach(service.test.cells, sql, values);

  /** Tracks a reference whose next look is an hour away, of a carrier that has answered unless it is null. */
  async function track(reference: string, carrier: string | null, carrierHint: string | null = null) {
    const atMs = service.clock.nowMs();
    const id = random.uuid(atMs);
    const first = { identifierType: null, carrierHint, atMs, source: "", isUrgent: false };
    const shipment = { id, accountId, product: "tracking", reference, ...first };
    for (const cell of service.test.cells)
      if (
        (await service.test.queryIn(cell, "select from cell.accounts where id = $1", [accountId]))
          .rowCount === 1
      )
        await insertOrGetShipment(service.test.database, cell, shipment);
    if (carrier !== null) {
      const known =
        "update cell.shipments set carrier = $2, status = 'in_transit', record = '{}' where id = $1";
      await inCells(known, id, carrier);
    }
    await lookAt(id, new Date(atMs + HOUR_MS));
    return id;
  }
  const lookAt = (id: string, at: Date | null) =>
    inCells("update cell.polls set next_poll_at = $2 where shipment_id = $1", id, at);

  /** Milliseconds since the epoch. */
  async function nextLook(id: string): Promise<number | undefined> {
    const [row] = await inCells("select next_poll_at from cell.polls where shipment_id = $1", id);
    return row?.next_poll_at?.getTime();
  }

  function push(path: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return send(service.api, {
      method: "POST",
      url: `/tracking/callbacks/${path}`,
      payload: body,
      headers: {
        "content-type": "application/json",
        "notification-signature": signatureOf(body),
        "api-version": "2.2.0",
        ...headers,
      },
    });
  }

  /** What a carrier learns that tries the address. */
  async function tried(path: string): Promise<number> {
    const { statusCode } = await service.api.inject({ method: "HEAD", url: `/tracking/callbacks/${path}` });
    return statusCode;
  }

  test("a shipment that a callback names is due before all others and polled at once", async () => {
    const box = await track("HRNU4000017", "HRNL");
    const booking = await track("HRN0040001", "HRNL");
    const unrelated = await track("NOTICE77", "HRNL");
    const { status, body } = await push("HrnL", JSON.stringify([EVENT]));
    assert.deepEqual([status, body], [204, ""]);
    assert.deepEqual([await nextLook(box), await nextLook(booking), woken], [0, 0, 1]);
    assert.equal(await nextLook(unrelated), service.clock.nowMs() + HOUR_MS);
  });

  test("a wrong signature is refused and changes nothing", async () => {
    const box = await track("HRNU4000017", "HRNL");
    const body = JSON.stringify([EVENT]);
    const right = signatureOf(body);
    for (const signature of [
      "",
      "sha256=",
      right.slice("sha256=".length),
      `${right}00`,
      right.replace("sha256", "sha1"),
      signatureOf(body, Buffer.from("another secret, not this one's").toString("base64")),
      signatureOf(`${body} `),
    ]) {
      const { status, body: refused } = await push("HRNL", body, { "notification-signature": signature });
      assert.equal(status, 401, signature);
      assert.equal(refused.error.code, "UNAUTHORIZED");
    }
    assert.equal(await nextLook(box), service.clock.nowMs() + HOUR_MS);
    assert.equal(woken, 0);
    for (const good of [
      ` ${right.toUpperCase().replace("SHA256", "sha256")} `,
      signatureOf(body, NEXT_SECRET),
    ]) {
      assert.equal((await push("HRNL", body, { "notification-signature": good })).status, 204, good);
    }
  });

  test("callbacks of unknown carriers and of carriers without a secret are refused", async () => {
    for (const scac of ["NONE", "PLVR", "%00"]) {
      assert.equal((await push(scac, "[]")).status, 404, scac);
      assert.equal(await tried(scac), 404, scac);
    }
    assert.equal(await tried("HRNL"), 204);
    assert.equal(await tried("hrnl"), 204);
    assert.equal((await send(service.api, { method: "GET", url: "/tracking/callbacks/HRNL" })).status, 405);
  });

  test("a carrier of 3.0 posts to events and is answered in its own way", async () => {
    const box = await track("APZU4812090", "TRNC");
    const body = JSON.stringify({
      events: [
        {
          eventID: "1",
          eventClassification: {
            eventTypeCode: "EQUIPMENT",
            eventClassifierCode: "ACT",
            equipmentEventTypeCode: "DISC",
          },
          equipmentDetails: { equipmentReference: "APZU4812090" },
        },
        { eventID: "0", isRetracted: true },
      ],
    });
    const { status, body: answer, headers } = await push("TRNC/events", body, { "api-version": "3.0.0" });
    assert.deepEqual([status, answer, headers["api-version"]], [200, { feedbackElements: [] }, "3.0.0"]);
    assert.equal(await nextLook(box), 0);
  });

  test("what is signed and still no list of events is refused with the reason, whatever its type", async () => {
    for (const [body, status] of [
      ["", 400],
      ["<xml/>", 400],
      ['{"hello":1}', 400],
      [`${"[".repeat(1_000)}${"]".repeat(1_000)}`, 400],
      [`["${"x".repeat(600_000)}"]`, 413],
      ["[]", 204],
      ['[null,7,{"eventType":{}}]', 204],
    ] as const) {
      const answer = await push("HRNL", body, { "content-type": "text/plain" });
      assert.equal(answer.status, status, body.slice(0, 40));
    }
    assert.equal(woken, 0);
  });
});
