/** From a feed's call to the events of the boxes that are to sail from it, on a real store. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";

import { StoreUnavailable } from "../../../src/model/errors.ts";
import { POLLER_DEFAULTS, type Poller } from "../../../src/freight/polling/poller.ts";
import { createPoller } from "../../../src/products/ocean/sources/poll-shipment.ts";
import { changedCalls, findScheduledCalls } from "../../../src/products/schedules/calls/scheduled-calls.ts";
import type { SchedulePorts } from "../../../src/products/schedules/events/broadcasting.ts";
import { createScheduleReader } from "../../../src/products/ocean/scheduled/schedule-reader.ts";
import { wakeShipments } from "../../../src/products/ocean/scheduled/awaited-sailings.ts";
import { startTracking } from "../../../src/products/ocean/tracking/track.ts";
import type { CallStatement, FeedUpdate } from "../../../src/products/schedules/calls/call-statement.ts";
import { ingest } from "../../../src/products/schedules/calls/ingest.ts";
import type { Cell } from "../../../src/store/cell.ts";
import { said } from "../../schedules/statements.ts";
import { SETTINGS } from "../../schedules/scene.ts";
import { START_MS } from "../../support/clock.ts";
import { answered, openHarbour, type Harbour } from "../harbour.ts";
import { HERON } from "../shipping-lines.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LEAVES_MS = START_MS + 5 * DAY_MS;

/** The box waits at Yokohama for HERON DAWN, which its carrier says leaves in five days. */
const ANSWER = JSON.stringify([
  {
    eventType: "EQUIPMENT",
    equipmentEventTypeCode: "GTIN",
    equipmentReference: "HRNU4000017",
    emptyIndicatorCode: "LADEN",
    eventClassifierCode: "ACT",
    eventDateTime: new Date(START_MS - DAY_MS).toISOString(),
    transportCall: { UNLocationCode: "JPYOK", modeOfTransport: "TRUCK" },
  },
  {
    eventType: "TRANSPORT",
    transportEventTypeCode: "DEPA",
    eventClassifierCode: "EST",
    eventDateTime: new Date(LEAVES_MS).toISOString(),
    transportCall: {
      UNLocationCode: "JPYOK",
      modeOfTransport: "VESSEL",
      exportVoyageNumber: "014",
      vessel: { vesselIMONumber: "9321483", vesselName: "HERON DAWN" },
    },
  },
]);

describe("boxes by the record of schedules", () => {
  let harbour: Harbour;
  let poller: Poller;
  let reads = 0;
  let asked = 0;
  let isGone = false;
  beforeEach(async () => {
    harbour = await openHarbour([{ ...HERON, asOf: "now" }]);
    [reads, asked, isGone] = [0, 0, false];
    harbour.answer = async () => {
      asked += 1;
      return answered(200, ANSWER);
    };
  });
  afterEach(async () => {
    const stopped = poller.stop();
    await harbour.clock.advance(POLLER_DEFAULTS.stopMsMax);
    await stopped;
    await harbour.stored.drop();
  });

  const cells = () => harbour.stored.cells as readonly [Cell, ...Cell[]];

  function start(withFeeds = true): void {
    const { ports, stored, clock } = harbour;
    const read = createScheduleReader(
      (searches) => findScheduledCalls(stored.database, stored.productCells, searches),
      clock,
      { batchMax: 100, gatherMs: 0 },
    );
    const readSchedule: typeof read = async (record) => {
      reads += 1;
      if (isGone) throw new StoreUnavailable("the cell of the schedules is gone");
      return read(record);
    };
    const settings = { ...POLLER_DEFAULTS, gatherMs: 0 };
    poller = createPoller({ ...ports, ...(withFeeds ? { readSchedule } : {}) }, stored.cells, settings);
    poller.start();
  }

  async function track(): Promise<void> {
    const input = { accountId: await harbour.account(), reference: "HRNU4000017" };
    await startTracking({ ...harbour.ports, wake: poller.wake }, harbour.cell, input);
    await until(isKnown, "the first look");
  }

  async function rowOf(columns: string) {
    const { rows } = await harbour.stored.queryIn(harbour.cell, `select ${columns} from cell.shipments`);
    return rows[0];
  }

  const isKnown = async () => (await rowOf("bool_and(record is not null) as known")).known === true;
  const awaits = async () =>
    (await rowOf("awaited_sailings as sailings")).sailings as readonly string[] | null;

  const until = (holds: () => Promise<boolean> | boolean, what: string) => harbour.clock.until(holds, what);

  /** As a running service takes it in. */
  async function say(calls: readonly CallStatement[], more: Partial<FeedUpdate> = {}) {
    const { ports, stored, clock } = harbour;
    const atMs = clock.nowMs();
    const taking: SchedulePorts = {
      database: stored.database,
      cells: cells(),
      cell: stored.productCells.of("schedules"),
      random: ports.random,
      clock,
      check: ports.check,
      wake: () => undefined,
      onCallsChanged: (tx, source, changes, at) =>
        wakeShipments(tx, source, cells(), changedCalls(changes), at),
    };
    await ingest(taking, SETTINGS, { feed: "ovs", atMs, calls, complete: null, ...more });
    await stored.forward();
  }

  const atYokohama = (departureMs: number, more: Parameters<typeof said>[0] = {}) =>
    said({ departure: { planned: LEAVES_MS, estimated: departureMs }, ...more });

  const disruptions = () =>
    harbour.raised
      .filter(({ type }) => type === "schedule_disruption")
      .map(({ data }) => JSON.parse(data) as { kind: string; delay_hours: number | null; headline: string });

  test("a call that slips raises an event for every account whose box is to sail from it, and no carrier is asked", async () => {
    start();
    await track();
    await track();
    assert.deepEqual(await awaits(), [
      "HRNL JPYOK imo 9321483",
      "HRNL JPYOK name HERONDAWN",
      "HRNL JPYOK voyage 14",
    ]);
    await say([atYokohama(LEAVES_MS)]);
    const before = asked;
    await say([atYokohama(LEAVES_MS + 3 * DAY_MS)]);
    await until(() => disruptions().length === 2, "both are raised");
    for (const { kind, delay_hours } of disruptions()) assert.deepEqual([kind, delay_hours], ["slipped", 72]);
    assert.equal(asked, before);
    await say([atYokohama(LEAVES_MS + 6 * DAY_MS)]);
    await say([atYokohama(LEAVES_MS + 6 * DAY_MS, { status: "OMIT" })]);
    await until(() => disruptions().length === 4, "the omission is raised, the further slip is not");
    assert.match(
      disruptions()[3]!.headline,
      /HERON DAWN 014 does not leave Yokohama .*: the vessel omits the port$/,
    );
  });

  test("calls elsewhere, of other carriers, or of other voyages raise nothing", async () => {
    start();
    await track();
    await say([atYokohama(LEAVES_MS)]);
    const settled = reads;
    await say([
      atYokohama(LEAVES_MS, { status: "OMIT", port: "JPNGO" }),
      atYokohama(LEAVES_MS, { status: "BLNK", carrier: "TRNC" }),
      atYokohama(LEAVES_MS + 30 * DAY_MS, { status: "BLNK", voyage: { import: "016E", export: "016E" } }),
    ]);
    await until(() => reads > settled, "the vessel's other call is read");
    await harbour.clock.advance(60_000);
    assert.deepEqual(disruptions(), []);
  });

  test("a blanked call elsewhere on the voyage raises the event, as the voyage is blanked", async () => {
    start();
    await track();
    await say([atYokohama(LEAVES_MS), atYokohama(LEAVES_MS + 3 * DAY_MS, { port: "JPNGO" })]);
    await say([atYokohama(LEAVES_MS), atYokohama(LEAVES_MS + 3 * DAY_MS, { port: "JPNGO", status: "BLNK" })]);
    await until(() => disruptions().length > 0, "the disruption is raised");
  });

  test("while the schedules are gone, what the carrier says is recorded, and disruptions are raised once they are back", async () => {
    start();
    await track();
    await say([atYokohama(LEAVES_MS)]);
    isGone = true;
    await say([atYokohama(LEAVES_MS + 3 * DAY_MS)]);
    const [first, departure] = JSON.parse(ANSWER) as [object, { transportCall: object }];
    const loaded = {
      ...first,
      transportCall: departure.transportCall,
      equipmentEventTypeCode: "LOAD",
      eventDateTime: new Date(START_MS).toISOString(),
    };
    harbour.answer = async () => answered(200, JSON.stringify([first, loaded, departure]));
    await harbour.stored.queryIn(harbour.cell, "update cell.polls set next_poll_at = '2020-01-01'");
    poller.wake(harbour.cell);
    const isLoaded = async () => String((await rowOf("record")).record).includes("LOAD");
    await until(isLoaded, "the answer is recorded");
    assert.deepEqual(disruptions(), [], "nobody knows");
    isGone = false;
    await until(() => disruptions().length === 1, "the slip is raised");
    assert.equal(disruptions()[0]!.delay_hours, 72);
  });

  test("without any feed nothing is read, and nothing kept to be found by", async () => {
    start(false);
    await track();
    assert.deepEqual([reads, await awaits()], [0, null]);
  });
});
