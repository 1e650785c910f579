/** A carrier that can only be asked with two references at once: what fills both, and what is said where one lacks. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { NOTHING_KNOWN, type KnownReferences } from "../../../src/products/ocean/sources/known-references.ts";
import { startTracking } from "../../../src/products/ocean/tracking/track.ts";
import { HOUR_MS } from "../../../src/runtime/durations.ts";
import { answered, openHarbour, type Harbour } from "../harbour.ts";
import { HERON } from "../shipping-lines.ts";
import { asking, BOX, outcome, type Reply, type Request, type Scene } from "./asking.ts";
import { startPoller } from "./polling.ts";
import { shipmentReadGiven } from "../../../src/freight/tracking/store/shipments.sql.ts";

const OTHER_BOX = "HRNU4000022";
const BOOKING = "HRN0040001";
const BILL = "HRNL4000017";

const BOTH = {
  references: {
    container_id: { parameters: { bookingNo: "{booking}", cntrNo: "{reference}" } },
    bill_of_lading: null,
    booking: { parameters: { bookingNo: "{reference}", cntrNo: "{container_id}" } },
  },
};
const moved = (equipmentReference: string) => ({
  ...{ eventType: "EQUIPMENT", equipmentEventTypeCode: "GTIN", eventClassifierCode: "ACT" },
  ...{ eventDateTime: "2026-10-20T08:00:00+02:00", equipmentReference, emptyIndicatorCode: "LADEN" },
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

const asks =
  ({ client, carrier }: Scene) =>
  (type: "container_id" | "booking", reference: string, known: Partial<KnownReferences> = {}) =>
    client.fetch(carrier, type, reference, null, false, undefined, async () => ({
      ...NOTHING_KNOWN,
      ...known,
    }));

test("a question with two references is asked where both are known, and not at all where one is not", () =>
  asking({ question: BOTH }, wantsBoth, async (scene) => {
    const { client, carrier, asked } = scene;
    const ask = asks(scene);
    assert.deepEqual(await ask("container_id", BOX), { kind: "lacking", needs: "booking" });
    assert.deepEqual(await ask("booking", BOOKING), { kind: "lacking", needs: "container_id" });
    assert.deepEqual(await client.fetch(carrier, "container_id", BOX), { kind: "lacking", needs: "booking" });
    assert.deepEqual(asked, []);
    assert.equal(outcome(await ask("container_id", BOX, { booking: [BOOKING] })), "1");
    // One of an earlier trip comes first.
    assert.equal(outcome(await ask("container_id", BOX, { booking: ["OLD1", BOOKING] })), "1");
    const boxes = { container_id: [BOX, OTHER_BOX] };
    assert.equal(outcome(await ask("booking", BOOKING, boxes)), "2");
    assert.equal(outcome(await ask("booking", "OTHER1", boxes)), "not_found");
    assert.deepEqual(
      asked,
      [
        [BOOKING, BOX],
        ["OLD1", BOX],
        [BOOKING, BOX],
        [BOOKING, BOX],
        [BOOKING, OTHER_BOX],
        ["OTHER1", BOX],
        ["OTHER1", OTHER_BOX],
      ].map(([booking, box]) => `/api/events?bookingNo=${booking}&cntrNo=${box}`),
    );
  }));

test("of several forms of a question the first is asked whose references are known", () => {
  const container_id = [
    { parameters: { bl: "{bill_of_lading}", cntrNo: "{container_id}" } },
    { path: "/bookings/{booking}/{reference}" },
  ];
  const reply = () => ({ body: [moved(BOX)] });
  return asking({ question: { references: { container_id } } }, reply, async (scene) => {
    const ask = asks(scene);
    assert.deepEqual(await ask("container_id", BOX), { kind: "lacking", needs: "bill_of_lading" });
    await ask("container_id", BOX, { booking: ["B/1"] });
    await ask("container_id", BOX, { booking: [BOOKING], bill_of_lading: ["{booking}"] });
    assert.deepEqual(scene.asked, [`/api/bookings/B/1/${BOX}`, `/api/events?bl={booking}&cntrNo=${BOX}`]);
  });
});

test("a way whose questions fail in part has no answer, and one with too many containers is incomplete", () =>
  asking(
    { question: BOTH },
    ({ url }) => (url.searchParams.get("cntrNo") === OTHER_BOX ? { status: 503 } : wantsBoth({ url })),
    async (scene) => {
      const ask = (container_id: readonly string[]) => asks(scene)("booking", BOOKING, { container_id });
      assert.equal(outcome(await ask([BOX, OTHER_BOX])), "http_503");
      const many = Array.from({ length: 21 }, (_, at) => `HRNU50000${String(at).padStart(2, "0")}`);
      assert.equal(outcome(await ask(many)), "20 incomplete");
    },
  ));

describe("a shipment of a carrier that wants two references", () => {
  let harbour: Harbour;
  let poller: ReturnType<typeof startPoller>;
  let asked: string[];
  beforeEach(async () => {
    asked = [];
    harbour = await openHarbour([{ ...HERON, asOf: "now", question: BOTH }]);
    harbour.answer = async (url) => {
      asked.push(url.search);
      const { status = 200, body = "" } = wantsBoth({ url });
      return answered(status, JSON.stringify(body));
    };
    poller = startPoller(harbour);
  });
  afterEach(async () => {
    await poller.stop();
    await harbour.stored.drop();
  });

  const isKnown = ({ status }: { readonly status: string }) => status === "pre_departure";
  const hasFailed = ({ last_failure: failure }: { readonly last_failure: unknown }) => failure !== null;

  test("says which one lacks, and asks nothing; the request may give it later, and is asked for at once", async () => {
    const shipment = await poller.track(BOX);
    await shipment.until("the first poll", hasFailed);
    const { last_failure: failure } = await shipment.read();
    assert.equal(failure?.code, "needs_booking");
    assert.match(
      failure.message,
      /together with its booking, which nobody has said.*other_references\.booking/,
    );
    assert.deepEqual(asked, []);
    const again = await shipment.start({ other_references: { booking: BOOKING } });
    assert.ok(again.kind === "tracked" && !again.created);
    await shipment.until("an answer", isKnown);
    assert.equal((await shipment.read()).last_failure, null);
    assert.deepEqual(asked, [`?bookingNo=${BOOKING}&cntrNo=${BOX}`]);
  });

  test("that a later request gives stands beside those of earlier ones", async () => {
    const shipment = await poller.track(BOX, { other_references: { bill_of_lading: BILL } });
    await shipment.start({ other_references: { booking: "HRNBK7654321" } });
    await shipment.start({ other_references: { booking: BOOKING } });
    const given = await shipmentReadGiven(harbour.ports.database, harbour.cell, shipment.id);
    assert.deepEqual(JSON.parse(given?.given ?? "{}"), { bill_of_lading: BILL, booking: BOOKING });
  });

  test("is asked for with what the request gives, and again with what the answer has named", async () => {
    const shipment = await poller.track(BOOKING, { other_references: { container_id: BOX } });
    await shipment.until("an answer", isKnown);
    await poller.importRows({
      ...{ container: OTHER_BOX, booking: BOOKING, milestone: "gate_in", time: "2026-10-21T08:00:00Z" },
    });
    harbour.clock.jump(5 * HOUR_MS);
    asked = [];
    await shipment.until("another poll", () => asked.length >= 2);
    assert.deepEqual(asked.slice(0, 2).toSorted(), [
      `?bookingNo=${BOOKING}&cntrNo=${BOX}`,
      `?bookingNo=${BOOKING}&cntrNo=${OTHER_BOX}`,
    ]);
  });

  test("is asked for with what an import names, before or after the first poll", async () => {
    const row = { container: BOX, milestone: "gate_in", time: "2026-10-19T08:00:00Z" };
    const shipment = await poller.track(BOX);
    await shipment.until("the first poll", hasFailed);
    await poller.importRows(row);
    await shipment.until("the import alone", ({ events }) => events.length === 1);
    assert.deepEqual(asked, []);
    await poller.importRows({ ...row, milestone: "stuffed", time: "2026-10-18T08:00:00Z", booking: BOOKING });
    await shipment.until("an answer", (one) => !hasFailed(one) && one.carrier === "HRNL");
    assert.equal(asked[0], `?bookingNo=${BOOKING}&cntrNo=${BOX}`);
    await poller.importRows({ ...row, container: OTHER_BOX, booking: BOOKING });
    const other = await poller.track(OTHER_BOX);
    await other.until("an answer", ({ carrier }) => carrier === "HRNL");
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
      const wanted = { accountId, reference, other_references };
      const refused = await startTracking(harbour.ports, harbour.cell, wanted);
      assert.ok(refused.kind === "refused" && refused.code === "INVALID_REFERENCE", reference);
      assert.match(refused.message, message);
    }
  });
});
