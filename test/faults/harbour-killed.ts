/**
 * Kills a container poller at random moments, by turns the poller, the poller with its database, and the database
 * alone, and compares its events with the truth of the simulated harbour. The harbour sets the time of day: time
 * stands still until every due shipment has been polled, whichever process was killed, and then moves to the next
 * moment at which an answer changes or time alone causes a change. So the truth determines every event and its time.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { createReferenceIndex } from "../../src/freight/reference-index/reference-index.ts";
import { carrierEntry } from "../../packages/simulator/src/harbour/carriers-file.ts";
import {
  createHarbour,
  type Harbour,
  type HarbourBox,
} from "../../packages/simulator/src/harbour/harbour.ts";
import { serveHarbour } from "../../packages/simulator/src/harbour/server.ts";
import { answerChangeTimes, truthOf } from "../../packages/simulator/src/harbour/truth.ts";
import { startTracking } from "../../src/products/ocean/tracking/track.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { readPidFile } from "../../src/store/embedded/postmaster.ts";
import { makePartitions } from "../../src/store/deliveries/partitions.ts";
import { eventDifferences, FREE_DAYS, START_MS, tariffsOf } from "../ocean/harbour-comparison.ts";
import { toldEvent } from "../ocean/harbour-life.ts";
import { realClock } from "../support/real-clock.ts";
import { checkEvents } from "../support/check-deliveries.ts";
import { chanceFor } from "./chance.ts";
import { atEnd } from "./endings.ts";
import type { PollerCall, PollerOptions } from "./poller.ts";
import { furnish, addressOf } from "./postgres.ts";
import { startCalled, type Called } from "./process.ts";
import { addAccount, folderFor } from "./scene.ts";
import { until } from "./until.ts";
import type { RaisedEvent } from "../../src/model/event.ts";
import { OCEAN_PRODUCT } from "../../src/products/ocean/ocean-product.ts";
import { cellsNamed, SCHEMA_PREFIX } from "../../src/store/cell.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { recheckShipment } from "../../src/freight/tracking/store/shipments.ts";

type Books = ReturnType<typeof openBooks>;

/** The database as the test reads and changes it, alongside the poller. */
function openBooks(t: TestContext, folder: string) {
  const database = openDatabase(addressOf(folder), {
    sessionName: "boathook test",
    connectionsMax: 2,
    connectTimeoutMs: 5_000,
    onIdleError: () => undefined,
  });
  atEnd(t, () => database.close());
  const cell = cellsNamed(SCHEMA_PREFIX, 1)[0];
  const read = <Row extends object>(name: string, text: string, parameters: readonly unknown[] = []) =>
    database.rows<Row>({ name, text: text.replaceAll("cell.", `${cell.schema}.`) }, parameters);
  return {
    async makeDue(shipments: readonly { readonly accountId: string; readonly id: string }[]): Promise<void> {
      for (const { accountId, id } of shipments) {
        await recheckShipment(database, cell, { product: OCEAN_PRODUCT, accountId }, id);
      }
    },
    /** When time alone changes something next. */
    async nextChangeMs(): Promise<number> {
      const [row] = await read<{ at: Date | null }>("test_next_change", NEXT_CHANGE);
      return row?.at?.getTime() ?? Number.POSITIVE_INFINITY;
    },
    areReadable: () =>
      read("test_readable", "select 1").then(
        () => true,
        () => false,
      ),
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
  /** Kills of the poller alone that left claims behind, because polls were running. */
  readonly interrupted: number;
};

const SEED = 1;
const WORLD_BOXES = 200;
/** Lines that always answer, because the real clock decides how long a breaker stays open. */
const LINES: ReadonlySet<string> = new Set(["AVCT", "DOVE", "FNCH", "GULL", "JAYL"]);

/** Tokens outlive the test, because the real clock also decides when they expire. */
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
  const books = openBooks(t, join(dataFolder, "postgres"));
  const watch = await setWatch(t, world, quay, dataFolder, books);
  await books.allLookedAt(quay.atMs);

  let kills = 0;
  let interrupted = 0;
  const untilNext = (): number => chance.between(1, voyage.momentsBetweenKillsMax + 1);
  let untilKill = untilNext();
  for (;;) {
    const news = newsAfter(tracked, quay.atMs);
    const atMs = Math.min(news.atMs, await books.nextChangeMs());
    if (atMs > START_MS + voyage.days * DAY_MS) break;
    await watch.goOn(atMs);
    const question = quay.nextQuestion();
    if (atMs === news.atMs) await books.makeDue(news.of);
    untilKill -= 1;
    if (untilKill === 0) {
      untilKill = untilNext();
      await Promise.race([question, sleep(QUESTION_MS_MAX)]);
      await sleep(chance.between(0, KILL_AFTER_MS_MAX));
      const victim = VICTIMS[kills % VICTIMS.length]!;
      await watch.kill(victim);
      if (victim === "poller") interrupted += Number(await books.areClaimsOpen());
      kills += 1;
      await watch.relieve(victim);
    }
    await books.allLookedAt(quay.atMs);
  }
  const events = await compare(world, tracked, books, quay.atMs);
  await watch.end();
  t.diagnostic(
    `seed ${chance.seed}: ${kills} kills, ${interrupted} seen to break looks off; ${events} events`,
  );
  return { events, kills, interrupted };
}

const VICTIMS = ["poller", "both", "database"] as const;
type Victim = (typeof VICTIMS)[number];

/** Runs one poller after the other. */
async function setWatch(t: TestContext, world: Harbour, quay: Quay, dataFolder: string, books: Books) {
  const databasePid = (): number | undefined => readPidFile(join(dataFolder, "postgres"))?.pid;
  const start = (): Promise<Called<PollerCall>> => {
    const { carriers, atMs } = quay;
    const options = { dataFolder, carriers, tariffs: tariffsOf(world), atMs, leaseMs: LEASE_MS };
    return startCalled<PollerCall>(t, "poller.ts", options satisfies PollerOptions);
  };
  let poller = await start();
  const goOn = async (atMs: number): Promise<void> => {
    quay.atMs = atMs;
    assert.equal(await poller.call({ atMs }), "set");
  };
  return {
    goOn,
    async kill(victim: Victim): Promise<void> {
      const pid = databasePid()!;
      const dying = victim === "database" ? null : poller.kill();
      if (victim !== "poller") process.kill(pid, "SIGKILL");
      await dying;
      if (victim !== "database") return;
      // The poller starts it again. Until then a session that has not noticed the kill may still claim.
      await until(async () => databasePid() !== pid && (await books.areReadable()), "the database is back");
    },
    /** Claims that were left behind run out. */
    async relieve(victim: Victim): Promise<void> {
      const atMs = quay.atMs + LEASE_MS;
      if (victim === "database") return goOn(atMs);
      quay.atMs = atMs;
      poller = await start();
    },
    end: () => poller.stop(),
  };
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
    const cell = store.cells[0];
    await makePartitions(database, cell, START_MS, START_MS + (voyage.days + 1) * DAY_MS);
    const clock = { ...realClock, nowMs: () => START_MS };
    const index = createReferenceIndex({ database, cells: store.cells, clock });
    const ports = {
      database,
      index,
      carriers: [],
      clock,
      random: systemRandom(),
      unresolvedMax: 1_000,
      wake: () => undefined,
    };
    for (let account = 0; account < voyage.accounts; account += 1) {
      const accountId = await addAccount({ database, ...store });
      const text = `update ${cell.schema}.accounts set demurrage_armed_at = $1 where id = $2`;
      await database.rows({ name: "test_arm", text }, [new Date(START_MS), accountId]);
      for (const box of boxes) {
        const { scac: carrier, reference } = box;
        const started = await startTracking(ports, cell, { accountId, reference, carrier });
        assert.ok(started.kind === "tracked");
        const moments = answerChangeTimes(world.lifeAt(box.index), START_MS);
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

type Quay = Awaited<ReturnType<typeof openQuay>>;

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

/** Asserts that what was raised is what the truth calls for until now; returns how much that is. */
async function compare(
  world: Harbour,
  tracked: readonly Tracked[],
  books: Books,
  nowMs: number,
): Promise<number> {
  const raised = await books.raised();
  const names = { product: "tracking", accountId: "" };
  checkEvents(raised.map(({ at, ...told }) => ({ ...names, ...told, occurredAtMs: at.getTime() })));
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
