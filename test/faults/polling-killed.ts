/**
 * `boathook serve` that polls a replayed carrier and is killed at random moments, every other time together with
 * its database. The journeys advance only when every shipment has been polled, so they alone
 * determine what the service raises: the same as an undisturbed run.
 */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { createReferenceIndex } from "../../src/freight/reference-index/reference-index.ts";
import { answerAt, type Recording } from "../../packages/simulator/src/replay/recording.ts";
import { JOURNEYS_FOLDER, readRecordings } from "../../packages/simulator/src/replay/server.ts";
import type { RaisedEvent } from "../../src/model/event.ts";
import { changesBetween, type TrackedShipment } from "../../src/products/ocean/events/changes.ts";
import { parseAnswer } from "../../src/products/ocean/sources/dcsa/parse.ts";
import { DCSA_SPELLING } from "../../src/freight/dcsa/spelling.ts";
import { nextRecord } from "../../src/products/ocean/record/record.ts";
import type { ShipmentRecord } from "../../src/products/ocean/record/shipment-record.ts";
import { startTracking } from "../../src/products/ocean/tracking/track.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { readPidFile } from "../../src/store/embedded/postmaster.ts";
import { liveThrough, UNARMED } from "../ocean/life.ts";
import { query } from "../support/database.ts";
import { realClock } from "../support/real-clock.ts";
import { chanceFor } from "./chance.ts";
import { atEnd } from "./endings.ts";
import { addressOf, furnish } from "./postgres.ts";
import { addAccount, folderFor, openScene } from "./scene.ts";
import { startServe, type ServiceProcess } from "./service.ts";
import { until } from "./until.ts";

const SCAC = "HRNL";
const ACCOUNTS = 8;
/** Counts from the moment at which the carrier has changes; polls begin within a tenth of a second. */
const LIFE_MS_MAX = 500;

type Journey = {
  readonly recording: Recording;
  readonly reference: string;
  /** When the carrier has changes, in whole seconds as in an answer's date. */
  readonly moments: readonly number[];
};

/** Returns how many events there were to raise. */
export async function killPollers(t: TestContext, kills: number): Promise<number> {
  const chance = chanceFor(t);
  const scene = await openScene(t);
  const journeys = (await readRecordings(JOURNEYS_FOLDER)).map(journeyOf);
  let stage = 0;
  const carrierUrl = await serveJourneys(t, journeys, () => stage);
  const dataFolder = folderFor(t);
  const tracked = await trackAll(t, dataFolder, journeys);
  const carriersFile = join(dataFolder, "carriers.json");
  const carrier = { scac: SCAC, name: "Heron Lines", api: "dcsa-tnt-2.2", baseUrl: carrierUrl };
  writeFileSync(carriersFile, JSON.stringify([{ ...carrier, asOf: "answer-date" }]));
  const start = (): Promise<ServiceProcess> =>
    startServe(t, scene, {
      BOATHOOK_DATA_DIR: dataFolder,
      BOATHOOK_CARRIERS_FILE: carriersFile,
      BOATHOOK_POLL_INTERVAL: "100ms",
      BOATHOOK_POLL_LEASE: "4s",
    });
  const folder = join(dataFolder, "postgres");

  const stages = Math.max(...journeys.map(({ moments }) => moments.length));
  let serving = await start();
  await untilAllLookedAt(folder);
  for (let killed = 0; stage < stages - 1;) {
    stage += 1;
    if (killed < kills) {
      await sleep(chance.between(0, LIFE_MS_MAX));
      const dying = serving.kill();
      if (killed % 2 === 1) process.kill(readPidFile(folder)!.pid, "SIGKILL");
      await dying;
      killed += 1;
      serving = await start();
    }
    await untilAllLookedAt(folder);
  }
  const raised = await raisedIn(folder);
  const undisturbed = [...tracked].flatMap(([shipment, journey]) => eventsOf(shipment, journey, stages));
  assert.deepEqual(raised, undisturbed.map(written).toSorted());
  await serving.stop();
  return raised.length;
}

function journeyOf(recording: Recording): Journey {
  const reference = recording.references.find(({ parameter }) => parameter === "equipmentReference")!.value;
  const moments = liveThrough(recording).map(({ atMs }) => Math.ceil(atMs / 1_000) * 1_000);
  return { recording, reference, moments: [...new Set(moments)] };
}

function momentOf({ moments }: Journey, stage: number): number {
  return moments[Math.min(stage, moments.length - 1)]!;
}

/** The carrier, at whatever stage the test has come to; returns its base address. */
async function serveJourneys(
  t: TestContext,
  journeys: readonly Journey[],
  stage: () => number,
): Promise<string> {
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? "/", "http://carrier").searchParams.get("equipmentReference");
    const journey = journeys.find(({ reference }) => reference === asked);
    if (journey === undefined) return void response.writeHead(404).end();
    const atMs = momentOf(journey, stage());
    response.writeHead(200, { "content-type": "application/json", date: new Date(atMs).toUTCString() });
    response.end(JSON.stringify(answerAt(journey.recording, atMs)));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  atEnd(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Every journey, tracked by every account. */
async function trackAll(
  t: TestContext,
  dataFolder: string,
  journeys: readonly Journey[],
): Promise<ReadonlyMap<TrackedShipment, Journey>> {
  const tracked = new Map<TrackedShipment, Journey>();
  await furnish(t, dataFolder, async (store) => {
    const ports = {
      database: store.database,
      index: createReferenceIndex({ ...store, clock: realClock }),
      carriers: [],
      clock: realClock,
      random: systemRandom(),
      unresolvedMax: 1_000,
      wake: () => undefined,
    };
    for (let account = 0; account < ACCOUNTS; account += 1) {
      const accountId = await addAccount(store);
      for (const journey of journeys) {
        const { reference } = journey;
        const input = { accountId, reference, carrier: SCAC };
        const started = await startTracking(ports, store.cells[0], input);
        assert.ok(started.kind === "tracked");
        tracked.set({ id: started.shipment.id, accountId, reference }, journey);
      }
    }
  });
  return tracked;
}

/** Waits until each shipment has been polled in a claim that began after the call. */
async function untilAllLookedAt(folder: string): Promise<void> {
  const polls = () =>
    query(
      addressOf(folder),
      "select shipment_id, lease, leased_until is null as ended from boathook_cell_0.polls",
    ).then(({ rows }) => rows as { shipment_id: string; lease: number; ended: boolean }[]);
  let leases: ReadonlyMap<string, number> | null = null;
  const seen = new Set<string>();
  await until(
    async () => {
      // The database may have died with the service, and be about to come back.
      const rows = await polls().catch(() => []);
      leases ??= rows.length === 0 ? null : new Map(rows.map(({ shipment_id: id, lease }) => [id, lease]));
      for (const { shipment_id: id, lease, ended } of rows) {
        if (leases !== null && ended && lease > leases.get(id)!) seen.add(id);
      }
      return leases !== null && seen.size === leases.size;
    },
    "every shipment has been polled",
    150_000,
  );
}

/** The events of a shipment that is polled once in every stage. */
function eventsOf(tracked: TrackedShipment, journey: Journey, stages: number): readonly RaisedEvent[] {
  let previous: ShipmentRecord | null = null;
  const raised: RaisedEvent[] = [];
  for (let stage = 0; stage < stages; stage += 1) {
    const atMs = momentOf(journey, stage);
    const { events } = parseAnswer(answerAt(journey.recording, atMs), DCSA_SPELLING)!;
    const { reference } = tracked;
    const statements = {
      carrier: SCAC,
      identifierType: "container_id",
      reference,
      events,
      freeDays: [],
    } as const;
    const next = nextRecord(statements, previous, UNARMED, atMs);
    const changes = changesBetween(tracked, previous, next, UNARMED, atMs);
    raised.push(...changes.events);
    previous = changes.record;
  }
  return raised;
}

function written({ type, data }: Pick<RaisedEvent, "type" | "data">): string {
  return `${type} ${data}`;
}

async function raisedIn(folder: string): Promise<readonly string[]> {
  const { rows } = await query(addressOf(folder), "select type, data from boathook_cell_0.events");
  return (rows as Pick<RaisedEvent, "type" | "data">[]).map(written).toSorted();
}
