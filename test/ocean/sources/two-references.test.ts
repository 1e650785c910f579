/** A carrier that can only be asked with two references at once: what fills both, and what is said where one lacks. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { createReferenceIndex } from "../../../src/freight/reference-index/reference-index.ts";
import { POLLER_DEFAULTS, type Poller } from "../../../src/freight/polling/poller.ts";
import { readCarriers } from "../../../src/products/ocean/sources/carriers.ts";
import { NOTHING_KNOWN } from "../../../src/products/ocean/sources/known-references.ts";
import {
  makeImportedDue,
  storeImport,
} from "../../../src/products/ocean/sources/imported/import-milestones.ts";
import type { MilestoneRow } from "../../../src/products/ocean/sources/imported/milestone.ts";
import { createPoller } from "../../../src/products/ocean/sources/poll-shipment.ts";
import { getShipment, startTracking } from "../../../src/products/ocean/tracking/track.ts";
import type { Carrier } from "../../../src/products/ocean/sources/carriers.ts";
import { answered, openHarbour, type Harbour } from "../harbour.ts";
import { readGivenReferences } from "../../../src/freight/tracking/store/shipments.ts";
import { readAll } from "../imported/reading.ts";
import { asking, BOX, outcome, type Reply, type Request } from "./asking.ts";

const OTHER_BOX = "HRNU4000022";
const BOOKING = "HRN0040001";
const BILL = "HRNL4000017";
const HOUR_MS = 3_600_000;

const BOTH = {
  references: {
    container_id: { parameters: { bookingNo: "{booking}", cntrNo: "{reference}" } },
    bill_of_lading: null,
    booking: { parameters: { bookingNo: "{reference}", cntrNo: "{container_id}" } },
  },
};
const moved = (equipmentReference: string, day = 20) => ({
  eventType: "EQUIPMENT",
  equipmentEventTypeCode: "GTIN",
  eventClassifierCode: "ACT",
  eventDateTime: `2026-10-${day}T08:00:00+02:00`,
  equipmentReference,
  emptyIndicatorCode: "LADEN",
  eventLocation: { UNLocationCode: "NLRTM" },
  documentReferences: [{ documentReferenceType: "BKG", documentReferenceValue: BOOKING }],
});

/** Refuses a question with one reference, as it is documented to. */
function wantsBoth({ url: { searchParams } }: Pick<Request, "url">): Reply {
  const [booking, box] = [searchParams.get("bookingNo") ?? "", searchParams.get("cntrNo") ?? ""];
  if (booking === "" || box === "" || /[{}]/.test(booking + box))
    return { status: 500, body: { message: "a parameter is missing" } };
  return booking === BOOKING && box.startsWith("HRNU") ? { body: [moved(box)] } : { status: 404 };
}

test("a question with two references is asked where both are known, and not at all where one is not", () =>
  asking({ question: BOTH }, wantsBoth, async ({ client, carrier, asked }) => {
    const known = (more: object) => async () => ({ ...NOTHING_KNOWN, ...more });
    const ask = (type: "container_id" | "booking", reference: string, more: object) =>
      client.fetch(carrier, type, reference, null, false, undefined, known(more));
    assert.deepEqual(await ask("container_id", BOX, {}), { kind: "lacking", needs: "booking" });
    assert.deepEqual(await ask("booking", BOOKING, {}), { kind: "lacking", needs: "container_id" });
    assert.deepEqual(await client.fetch(carrier, "container_id", BOX), { kind: "lacking", needs: "booking" });
    assert.deepEqual(asked, []);
    assert.equal(outcome(await ask("container_id", BOX, { booking: [BOOKING] })), "1");
    // One of an earlier trip comes first.
    assert.equal(outcome(await ask("container_id", BOX, { booking: ["OLD1", BOOKING] })), "1");
    const boxes = { container_id: [BOX, OTHER_BOX] };
    assert.equal(outcome(await ask("booking", BOOKING, boxes)), "2");
    assert.equal(outcome(await ask("booking", "OTHER1", boxes)), "not_found");
    assert.deepEqual(asked, [
      `/api/events?bookingNo=${BOOKING}&cntrNo=${BOX}`,
      `/api/events?bookingNo=OLD1&cntrNo=${BOX}`,
      `/api/events?bookingNo=${BOOKING}&cntrNo=${BOX}`,
      `/api/events?bookingNo=${BOOKING}&cntrNo=${BOX}`,
      `/api/events?bookingNo=${BOOKING}&cntrNo=${OTHER_BOX}`,
      `/api/events?bookingNo=OTHER1&cntrNo=${BOX}`,
      `/api/events?bookingNo=OTHER1&cntrNo=${OTHER_BOX}`,
    ]);
  }));

test("of several forms of a question the first is asked whose references are known", () => {
  const references = {
    container_id: [
      { parameters: { bl: "{bill_of_lading}", cntrNo: "{container_id}" } },
      { path: "/bookings/{booking}/{reference}" },
    ],
  };
  return asking(
    { question: { references } },
    () => ({ body: [moved(BOX)] }),
    async ({ client, carrier, asked }) => {
      const ask = (more: object) =>
        client.fetch(carrier, "container_id", BOX, null, false, undefined, async () => ({
          ...NOTHING_KNOWN,
          ...more,
        }));
      assert.deepEqual(await ask({}), { kind: "lacking", needs: "bill_of_lading" });
      await ask({ booking: ["B/1"] });
      await ask({ booking: [BOOKING], bill_of_lading: ["{booking}"] });
      assert.deepEqual(asked, [`/api/bookings/B/1/${BOX}`, `/api/events?bl={booking}&cntrNo=${BOX}`]);
    },
  );
});

test("a way whose questions fail in part has no answer, and one with too many containers is incomplete", () =>
  asking(
    { question: BOTH },
    ({ url }) => (url.searchParams.get("cntrNo") === OTHER_BOX ? { status: 503 } : wantsBoth({ url })),
    async ({ client, carrier }) => {
      const ask = (container_id: readonly string[]) =>
        client.fetch(carrier, "booking", BOOKING, null, false, undefined, async () => ({
          ...NOTHING_KNOWN,
          container_id,
        }));
      assert.equal(outcome(await ask([BOX, OTHER_BOX])), "http_503");
      const many = Array.from({ length: 21 }, (_, at) => `HRNU50000${String(at).padStart(2, "0")}`);
      assert.equal(outcome(await ask(many)), "20 incomplete");
    },
  ));

test("a placeholder that is none is refused with those there are", () => {
  const entry = (parameters: object) => ({
    scac: "HRNL",
    name: "Heron",
    api: "dcsa-tnt-2.2",
    baseUrl: "https://heron.example",
    question: { references: { container_id: [{ parameters }] } },
  });
  const problems = (parameters: object) => {
    const read = readCarriers(JSON.stringify([entry(parameters)]));
    return read.kind === "invalid" ? read.problems.join("; ") : null;
  };
  assert.match(
    problems({ a: "{reference}", b: "{seal}" })!,
    /container_id may have no placeholder but \{reference\}, \{container_id\}, \{bill_of_lading\}, \{booking\}/,
  );
  assert.match(problems({ a: "B1" })!, /container_id has no \{reference\}/);
  assert.equal(problems({ a: "{container_id}", b: "{booking}" }), null);
});

describe("a shipment of a carrier that wants two references", () => {
  let harbour: Harbour;
  let poller: Poller | null = null;
  let asked: string[] = [];
  const carrier: Carrier = {
    scac: "HRNL",
    name: "Heron Lines",
    api: "dcsa-tnt-2.2",
    baseUrl: "https://heron.example/v2",
    ownerCodes: ["HRNU"],
    question: BOTH,
  };
  const settings = { ...POLLER_DEFAULTS, gatherMs: 0 };

  beforeEach(async () => {
    asked = [];
    harbour = await openHarbour([carrier]);
    harbour.answer = async (url) => {
      asked.push(url.search);
      const { status = 200, body = "" } = wantsBoth({ url });
      return answered(status, JSON.stringify(body));
    };
  });
  afterEach(async () => {
    const stopped = poller?.stop();
    poller = null;
    await harbour.clock.advance(settings.stopMsMax);
    await stopped;
    await harbour.stored.drop();
  });

  async function importRows(...rows: readonly MilestoneRow[]): Promise<void> {
    const { clock } = harbour.ports;
    const { database, cells } = harbour.stored;
    const index = createReferenceIndex({ database, cells, clock });
    const { statements } = readAll(JSON.stringify(rows), "json");
    const { references } = await storeImport({ database, clock, index }, statements);
    for (const cell of await makeImportedDue({ database, clock, index }, references)) poller?.wake(cell);
  }

  async function tracking(reference: string, more: object = {}) {
    poller ??= createPoller(harbour.ports, harbour.stored.cells, settings);
    poller.start();
    const accountId = await harbour.account();
    const ports = { ...harbour.ports, wake: poller.wake };
    const start = (others: object) => startTracking(ports, harbour.cell, { accountId, reference, ...others });
    const started = await start(more);
    assert.ok(started.kind === "tracked", JSON.stringify(started));
    const { id } = started.shipment;
    const read = async () => (await getShipment(ports, harbour.cell, accountId, id))!;
    const untilIt = (what: string, holds: (shipment: Awaited<ReturnType<typeof read>>) => boolean) =>
      harbour.clock.until(async () => holds(await read()), what);
    return { start, read, untilIt };
  }
  const isKnown = ({ status }: { readonly status: string }) => status === "pre_departure";

  test("says which one lacks, and asks nothing; the request may give it later, and is asked for at once", async () => {
    const shipment = await tracking(BOX);
    await shipment.untilIt("the first poll", ({ last_failure: failure }) => failure !== null);
    const { last_failure: failure } = await shipment.read();
    assert.equal(failure?.code, "needs_booking");
    assert.match(
      failure.message,
      /together with its booking, which nobody has said.*other_references\.booking/,
    );
    assert.deepEqual(asked, []);
    const again = await shipment.start({ other_references: { booking: BOOKING } });
    assert.ok(again.kind === "tracked" && !again.created);
    await shipment.untilIt("an answer", isKnown);
    assert.equal((await shipment.read()).last_failure, null);
    assert.deepEqual(asked, [`?bookingNo=${BOOKING}&cntrNo=${BOX}`]);
  });

  test("that a later request gives stands beside those of earlier ones", async () => {
    const shipment = await tracking(BOX, { other_references: { bill_of_lading: BILL } });
    await shipment.start({ other_references: { booking: "HRNBK7654321" } });
    await shipment.start({ other_references: { booking: BOOKING } });
    const { id } = await shipment.read();
    const given = await readGivenReferences(harbour.ports.database, harbour.cell, id);
    assert.deepEqual(JSON.parse(given ?? "{}"), { bill_of_lading: BILL, booking: BOOKING });
  });

  test("is asked for with what the request gives, and again with what the answer has named", async () => {
    const shipment = await tracking(BOOKING, { other_references: { container_id: BOX } });
    await shipment.untilIt("an answer", isKnown);
    await importRows({
      container: OTHER_BOX,
      booking: BOOKING,
      milestone: "gate_in",
      time: "2026-10-21T08:00:00Z",
    });
    harbour.clock.jump(5 * HOUR_MS);
    asked = [];
    await shipment.untilIt("another poll", () => asked.length >= 2);
    assert.deepEqual(asked.slice(0, 2).toSorted(), [
      `?bookingNo=${BOOKING}&cntrNo=${BOX}`,
      `?bookingNo=${BOOKING}&cntrNo=${OTHER_BOX}`,
    ]);
  });

  test("is asked for with what an import names, before or after the first poll", async () => {
    const row = { container: BOX, milestone: "gate_in", time: "2026-10-19T08:00:00Z" };
    const shipment = await tracking(BOX);
    await shipment.untilIt("the first poll", ({ last_failure: failure }) => failure !== null);
    await importRows(row);
    await shipment.untilIt("the import alone", ({ events }) => events.length === 1);
    assert.deepEqual(asked, []);
    await importRows({ ...row, milestone: "stuffed", time: "2026-10-18T08:00:00Z", booking: BOOKING });
    await shipment.untilIt(
      "an answer",
      ({ last_failure: failure, carrier: scac }) => failure === null && scac === "HRNL",
    );
    assert.equal(asked[0], `?bookingNo=${BOOKING}&cntrNo=${BOX}`);
    await importRows({ ...row, container: OTHER_BOX, booking: BOOKING });
    const other = await tracking(OTHER_BOX);
    await other.untilIt("an answer", ({ carrier: scac }) => scac === "HRNL");
  });

  test("is refused with other references that are wrong, each by its name", async () => {
    const accountId = await harbour.account();
    for (const [reference, other_references, message] of [
      [BOX, { booking: "x" }, /^other_references\.booking: a reference has 5 to 35/],
      [BOX, { booking: OTHER_BOX }, /^other_references\.booking: is a container number/],
      [BOOKING, { container_id: BILL }, /^other_references\.container_id: is no container number/],
      [BOX, { container_id: OTHER_BOX }, /^other_references\.container_id: reference is one already/],
      [BOX, { container_id: "HRNU4000018" }, /check digit should be 7/],
    ] as const) {
      const refused = await startTracking(harbour.ports, harbour.cell, {
        accountId,
        reference,
        other_references,
      });
      assert.ok(refused.kind === "refused", reference);
      assert.equal(refused.code, "INVALID_REFERENCE");
      assert.match(refused.message, message);
    }
  });
});
