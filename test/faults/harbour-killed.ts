/**
 * A poller of containers that is killed at random moments, every third time together with its database, held against
 * the truth of the simulated harbour. The time of day is the harbour's: it stands still until everything that is due
 * has been looked at, whoever was killed meanwhile, and goes on to the next moment at which an answer changes or
 * time alone brings something about. So the events are those that the truth calls for, at those very moments.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { carrierEntry } from "../../sim/harbour/carriers-file.ts";
import { createHarbour, type Harbour, type HarbourBox } from "../../sim/harbour/harbour.ts";
import { serveHarbour } from "../../sim/harbour/server.ts";
import { answerMoments, truthOf } from "../../sim/harbour/truth.ts";
import type { RaisedEvent } from "../../src/model/event.ts";
import { OCEAN_PRODUCT } from "../../src/producers/ocean/ocean-product.ts";
import { startTracking } from "../../src/producers/ocean/track.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { cellsNamed, SCHEMA_PREFIX } from "../../src/store/cell.ts";
import { openDatabase } from "../../src/store/database.ts";
import { readPidFile } from "../../src/store/embedded/postmaster.ts";
import { makePartitions } from "../../src/store/partitions.ts";
import { recheckShipment } from "../../src/store/shipments.ts";
import { eventDifferences, FREE_DAYS, START_MS, tariffsOf } from "../ocean/harbour-comparison.ts";
import { toldEvent } from "../ocean/harbour-life.ts";
import { realClock } from "../support/real-clock.ts";
import { chanceFor } from "./chance.ts";
import { atEnd } from "./endings.ts";
import type { PollerCall, PollerOptions } from "./poller.ts";
import { addressOf, furnish } from "./postgres.ts";
import { startCalled, type Called } from "./process.ts";
import { addAccount, folderFor } from "./scene.ts";

export type Voyage = {
  /** Shipments of the world that each account tracks. */
  readonly boxes: number;
  readonly accounts: number;
  readonly days: number;
  /** Between two kills lie so many moments at most, half as many on the average. */
  readonly momentsBetweenKillsMax: number;
};

export type Survived = {
  readonly events: number;
  readonly kills: number;
  /** Kills that left claims behind: looks were under way. */
  readonly interrupted: number;
};

const SEED = 1;
const WORLD_BOXES = 200;
/** Lines that always answer: for how long a breaker is open is told by the real time. */
const LINES: ReadonlySet<string> = new Set(["AVCT", "DOVE", "FNCH", "GULL", "JAYL"]);

/** Tokens outlive the test: when they end is told by the real time too. */
const TOKEN_LIVES = 100 * 24;

const DAY_MS = 24 * 3_600_000;
/** What a dead process had claimed is free when the time has gone on by so much. All else happens on whole minutes. */
const LEASE_MS = 20_000;
/** A kill comes so long, at most, after the first question of a moment. */
const KILL_AFTER_MS_MAX = 30;
/** Where time alone brings something about nobody is asked. */
const QUESTION_MS_MAX = 30;

export async function killInHarbour(t: TestContext, voyage: Voyage): Promise<Survived> {
  const chance = chanceFor(t);
  const world = createHarbour({ seed: SEED, boxes: WORLD_BOXES, startMs: START_MS });
  const quay = await openQuay(t, world);
  const dataFolder = folderFor(t);
  const tracked = await trackAll(t, dataFolder, world, voyage);
  const folder = join(dataFolder, "postgres");
  const books = openBooks(t, folder);
  const start = (): Promise<Called<PollerCall>> => {
    const { carriers, atMs } = quay;
    const options: PollerOptions = {
      dataFolder,
      carriers,
      tariffs: tariffsOf(world),
      atMs,
      leaseMs: LEASE_MS,
    };
    return startCalled<PollerCall>(t, "poller.ts", options);
  };
  const momentsMax = voyage.momentsBetweenKillsMax;

  let poller = await start();
  await books.allLookedAt(quay.atMs);
  let kills = 0;
  let interrupted = 0;
  let untilKill = chance.between(1, momentsMax + 1);
  for (;;) {
    const news = newsAfter(tracked, quay.atMs);
    const atMs = Math.min(news.atMs, await books.nextChangeMs());
    if (atMs > START_MS + voyage.days * DAY_MS) break;
    quay.atMs = atMs;
    assert.equal(await poller.call({ atMs }), "set");
    const question = quay.nextQuestion();
    if (atMs === news.atMs) await books.makeDue(news.of);
    untilKill -= 1;
    if (untilKill === 0) {
      untilKill = chance.between(1, momentsMax + 1);
      await Promise.race([question, sleep(QUESTION_MS_MAX)]);
      await sleep(chance.between(0, KILL_AFTER_MS_MAX));
      await poller.kill();
      interrupted += Number(await books.areClaimsOpen());
      kills += 1;
      if (kills % 3 === 0) process.kill(readPidFile(folder)!.pid, "SIGKILL");
      quay.atMs += LEASE_MS;
      poller = await start();
    }
    await books.allLookedAt(quay.atMs);
  }
  const events = await compare(world, tracked, books, quay.atMs);
  await poller.stop();
  t.diagnostic(`seed ${chance.seed}: ${kills} kills, ${interrupted} of them during looks; ${events} events`);
  return { events, kills, interrupted };
}

type Tracked = {
  readonly box: HarbourBox;
  readonly accountId: string;
  readonly id: string;
  /** When an answer about it can differ from the one before. */
  readonly moments: readonly number[];
};

/** The same boxes by every account, alerting armed from the beginning. */
async function trackAll(
  t: TestContext,
  dataFolder: string,
  world: Harbour,
  voyage: Voyage,
): Promise<readonly Tracked[]> {
  const tracked: Tracked[] = [];
  const boxes = boxesOf(world).slice(0, voyage.boxes);
  await furnish(t, dataFolder, async ({ database, ...store }) => {
    const cell = store.cells[0]!;
    await makePartitions(database, cell, START_MS, START_MS + (voyage.days + 1) * DAY_MS);
    const clock = { ...realClock, nowMs: () => START_MS };
    const ports = { database, carriers: [], clock, random: systemRandom(), wake: () => undefined };
    for (let account = 0; account < voyage.accounts; account += 1) {
      const accountId = await addAccount({ database, ...store });
      const text = `update ${cell.schema}.accounts set demurrage_armed_at = $1 where id = $2`;
      await database.rows({ name: "test_arm", text }, [new Date(START_MS), accountId]);
      for (const box of boxes) {
        const { scac: carrier, reference } = box;
        const started = await startTracking(ports, cell, { accountId, reference, carrier });
        assert.ok(started.kind === "tracked");
        const moments = answerMoments(world.lifeAt(box.index), START_MS);
        tracked.push({ box, accountId, id: started.shipment.id, moments });
      }
    }
  });
  return tracked;
}

function boxesOf(world: Harbour): readonly HarbourBox[] {
  const all = Array.from({ length: world.boxCount }, (_, index) => world.boxAt(index));
  return all.filter(({ scac }) => LINES.has(scac));
}

/** The next moment at which an answer can differ, and about whom. */
function newsAfter(
  tracked: readonly Tracked[],
  afterMs: number,
): { readonly atMs: number; readonly of: readonly Tracked[] } {
  const next = (one: Tracked): number => one.moments.find((ms) => ms > afterMs) ?? Number.POSITIVE_INFINITY;
  const atMs = Math.min(...tracked.map(next));
  return { atMs, of: tracked.filter((one) => next(one) === atMs) };
}

/** The lines' APIs, at the moment which the test has come to. */
async function openQuay(t: TestContext, world: Harbour) {
  const quay = { atMs: START_MS };
  let asked = (): void => undefined;
  const harbour: Harbour = {
    ...world,
    answer(...request) {
      asked();
      return world.answer(...request);
    },
    token: (scac, form, atMs) => world.token(scac, form, atMs, TOKEN_LIVES),
  };
  const served = await serveHarbour({
    harbour,
    clock: { nowMs: () => quay.atMs },
    startMs: START_MS,
    speed: 1,
  });
  atEnd(t, () => served.close());
  return Object.assign(quay, {
    carriers: world.lines.map((line) => carrierEntry(line, served.url, "now")),
    nextQuestion: () => new Promise<void>((resolve) => (asked = resolve)),
  });
}

type Books = ReturnType<typeof openBooks>;

/** The database as the test reads and moves it, beside whoever polls. */
function openBooks(t: TestContext, folder: string) {
  const database = openDatabase(addressOf(folder), {
    sessionName: "boathook test",
    connectionsMax: 2,
    connectTimeoutMs: 5_000,
    onIdleError: () => undefined,
  });
  atEnd(t, () => database.close());
  const cell = cellsNamed(SCHEMA_PREFIX, 1)[0]!;
  const read = <Row extends object>(name: string, text: string, parameters: readonly unknown[] = []) =>
    database.rows<Row>({ name, text: text.replaceAll("cell.", `${cell.schema}.`) }, parameters);
  return {
    async makeDue(shipments: readonly Tracked[]): Promise<void> {
      for (const { accountId, id } of shipments) {
        await recheckShipment(database, cell, { product: OCEAN_PRODUCT, accountId }, id);
      }
    },
    /** When time alone changes something next. */
    async nextChangeMs(): Promise<number> {
      const [row] = await read<{ at: Date | null }>("test_next_change", NEXT_CHANGE);
      return row?.at?.getTime() ?? Number.POSITIVE_INFINITY;
    },
    async areClaimsOpen(): Promise<boolean> {
      const [row] = await read<{ open: boolean }>("test_open", OPEN_CLAIMS);
      return row!.open;
    },
    /** Until nothing is due any more at that moment. */
    async allLookedAt(atMs: number): Promise<void> {
      const startedMs = performance.now();
      for (;;) {
        // The database may have died with the poller, and be about to come back.
        const rows = await read<{ due: boolean }>("test_due", DUE, [new Date(atMs)]).catch(() => []);
        if (rows[0]?.due === false) return;
        const waitedMs = performance.now() - startedMs;
        assert.ok(waitedMs < LOOKS_MS_MAX, `something stayed due for ${LOOKS_MS_MAX} ms`);
        await sleep(1);
      }
    },
    raised: () => read<Raised>("test_raised", "select type, data, occurred_at as at from cell.events"),
  };
}

const LOOKS_MS_MAX = 60_000;

const NEXT_CHANGE = "select min(changes_at) as at from cell.shipments where status <> 'pending'";
const OPEN_CLAIMS = "select exists (select from cell.polls where leased_until is not null) as open";
const DUE = `
  select exists (
    select
    from cell.polls
    join cell.shipments on shipments.id = polls.shipment_id
    where next_poll_at <= $1 or leased_until is not null or (changes_at <= $1 and status <> 'pending')
  ) as due`;

type Raised = Pick<RaisedEvent, "type" | "data"> & { readonly at: Date };

/** Asserts that what was raised is what the truth calls for until now; returns how much that is. */
async function compare(
  world: Harbour,
  tracked: readonly Tracked[],
  books: Books,
  nowMs: number,
): Promise<number> {
  const raised = await books.raised();
  const byShipment = Map.groupBy(
    raised,
    ({ data }) => (JSON.parse(data) as { container_id: string }).container_id,
  );
  for (const { box, id } of tracked) {
    const options = { fromMs: START_MS, armedFromMs: START_MS, freeDays: FREE_DAYS };
    const truth = truthOf(world.lifeAt(box.index), options).events.filter(({ atMs }) => atMs <= nowMs);
    const lived = (byShipment.get(id) ?? []).map(({ at, ...event }) => toldEvent(box, event, at.getTime()));
    assert.deepEqual(eventDifferences(truth, lived), [], `box ${box.index}`);
    byShipment.delete(id);
  }
  assert.deepEqual([...byShipment.keys()], [], "nothing is raised of a shipment that nobody tracks");
  return raised.length;
}
