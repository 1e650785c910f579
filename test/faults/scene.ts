/**
 * Accounts, endpoints and a receiver for the tests of faults, the load on them, and the one question at
 * the end: is everything that was accepted where it belongs, once, whole and counted?
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { mintSecret, sealSecret } from "../../src/engine/secret.ts";
import type { EngineSettings } from "../../src/engine/settings.ts";
import type { RaisedEvent } from "../../src/model/event.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { insertAccount } from "../../src/store/accounts.ts";
import type { DatabaseAddress } from "../../src/store/database.ts";
import { insertEndpoint } from "../../src/store/endpoints.ts";
import type { Store } from "../../src/store/open.ts";
import { query } from "../support/database.ts";
import { atEnd } from "./endings.ts";
import type { Raising } from "./process.ts";
import { startLoggingReceiver, type Arrival, type LoggingReceiver, type Manner } from "./receiver.ts";

const random = systemRandom();

export type SceneEndpoint = {
  readonly id: string;
  readonly accountId: string;
  readonly path: string;
  /** Empty: every type. */
  readonly eventTypes: readonly string[];
  /** False for one that never succeeds: what goes there ends dead. */
  readonly delivers: boolean;
};

export type Scene = {
  readonly receiver: LoggingReceiver;
  readonly masterKey: string;
  readonly endpoints: SceneEndpoint[];
  /** Of the events that were accepted, by number. */
  readonly accepted: Map<number, { readonly accountId: string; readonly type: string }>;
  /** Events given away so far, whatever became of them. */
  given: number;
  /** Calls that were refused with `unavailable`. */
  refused: number;
};

/** Retries, leases and looks that a test can wait for. Nobody is disabled, so that all can be counted on. */
export const QUICK: Partial<EngineSettings> = {
  retry: { attemptsMax: 6, waitsMs: [150, 200, 250, 300, 350, 400], disableAfterFailures: 1_000_000 },
  sweepIntervalMs: 500,
  leaseMs: 1_500,
  beatIntervalMs: 300,
  drainMs: 5_000,
};

const [COMMON, LESS_COMMON, RARE] = [
  "vessel_departed",
  "container_available",
  "container_delivered",
] as const;

const CONTAINER_ID = "0199a2b4-7c00-7000-8000-000000000001";

/** One in so many is of the rare type: whoever never succeeds with many holds up the end of the test. */
const RARE_EVERY = 24;

export const well: Manner = () => 200;
/** Fails each third delivery at first. */
export const flaky: Manner = ({ id, attempt }) =>
  attempt === 1 && Number.parseInt(id.slice(-4), 16) % 3 === 0 ? 500 : 200;
export const slow: Manner = async ({ id }) => {
  await sleep(20 + (Number.parseInt(id.slice(-2), 16) % 100));
  return 200;
};
export const failing: Manner = () => 500;

export async function openScene(t: TestContext): Promise<Scene> {
  return {
    receiver: await startLoggingReceiver(t),
    masterKey: randomBytes(32).toString("base64"),
    endpoints: [],
    accepted: new Map(),
    given: 0,
    refused: 0,
  };
}

/** A folder of the test's own. */
export function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "boathook-faults-"));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The usual cast: two accounts, endpoints that are well, flaky, slow, choosy and beyond help. */
export async function cast(scene: Scene, store: Store): Promise<void> {
  const [first, second] = [await addAccount(store), await addAccount(store)];
  for (const [accountId, manner, eventTypes] of [
    [first, well, []],
    [first, flaky, []],
    [first, well, [COMMON]],
    [first, failing, [RARE]],
    [second, slow, []],
    [second, well, [LESS_COMMON, RARE]],
  ] as const) {
    await addEndpoint(scene, store, accountId, manner, eventTypes);
  }
}

export async function addAccount(store: Store): Promise<string> {
  const home = store.cells[0]!;
  const id = random.uuid(Date.now());
  await insertAccount(store.database, home, {
    id,
    name: "Test",
    entitlements: [],
    demurrageAlerting: false,
    cell: home.number,
    createdAt: new Date(),
  });
  return id;
}

export async function addEndpoint(
  scene: Scene,
  store: Store,
  accountId: string,
  manner: Manner,
  eventTypes: readonly string[] = [],
): Promise<SceneEndpoint> {
  const id = random.uuid(Date.now());
  const path = `/${scene.endpoints.length}`;
  const secret = mintSecret(random);
  await insertEndpoint(
    store.database,
    store.cells[0]!,
    {
      id,
      accountId,
      product: "tracking",
      url: scene.receiver.url + path,
      eventTypes,
      description: "",
      createdAt: new Date(),
      sealedSecretHash: sealSecret(
        secret,
        { accountId, endpointId: id },
        [Buffer.from(scene.masterKey, "base64")],
        random,
      ),
    },
    100,
  );
  scene.receiver.expect(path, secret, manner);
  const endpoint = { id, accountId, path, eventTypes, delivers: manner !== failing };
  scene.endpoints.push(endpoint);
  return endpoint;
}

/** Events that nobody has raised yet, in turn for each account; with keys, they may be given away again and again. */
export function draw(
  scene: Scene,
  count: number,
  keyed = false,
  accountId?: string,
): readonly NumberedEvent[] {
  const accounts = [...new Set(scene.endpoints.map((endpoint) => endpoint.accountId))];
  return Array.from({ length: count }, () => {
    const number = scene.given++;
    return {
      number,
      product: "tracking",
      accountId: accountId ?? accounts[number % accounts.length]!,
      type: number % RARE_EVERY === 0 ? RARE : number % 4 < 2 ? COMMON : LESS_COMMON,
      data: JSON.stringify({
        number,
        container_id: CONTAINER_ID,
        previous_status: "pre_departure",
        new_status: "in_transit",
        note: "n".repeat(number % 300),
      }),
      occurredAtMs: Date.now(),
      ...(keyed ? { dedupKey: `key ${number}` } : {}),
    };
  });
}

export type NumberedEvent = RaisedEvent & { readonly number: number };

/** Gives events away and keeps the books; true when they were accepted. */
export async function give(scene: Scene, to: Raising, events: readonly NumberedEvent[]): Promise<boolean> {
  const answer = await to.raise(events.map(({ number: _, ...event }) => event));
  if (answer === "unavailable") scene.refused += 1;
  if (answer !== "accepted") return false;
  for (const event of events) scene.accepted.set(event.number, event);
  return true;
}

/** After a call that nobody took. */
const AGAIN_MS = 20;

export type Load = { stop(): Promise<void> };

/**
 * Callers that give events away one call after the other, to whoever takes them at that moment. Every
 * other caller uses keys, and repeats a call until it is accepted; the rest give up on a failed one.
 */
export function startLoad(
  t: TestContext,
  scene: Scene,
  to: () => Raising | null,
  { callers = 4, eventsACall = 5, pauseMs = 10, keys = true } = {},
): Load {
  let over = false;
  const run = async (_: unknown, caller: number): Promise<void> => {
    const keyed = keys && caller % 2 === 1;
    let events: readonly NumberedEvent[] | null = null;
    while (!over) {
      const target = to();
      if (target === null) {
        await sleep(AGAIN_MS);
        continue;
      }
      events ??= draw(scene, eventsACall, keyed);
      const isTaken = await give(scene, target, events);
      if (isTaken || !keyed) events = null;
      await sleep(isTaken ? pauseMs : AGAIN_MS);
    }
  };
  const running = Promise.all(Array.from({ length: callers }, run));
  // A caller that throws fails the test when the load is stopped.
  running.catch(() => undefined);
  atEnd(t, () => {
    over = true;
  });
  return {
    async stop() {
      over = true;
      await running;
    },
  };
}

/** Waits for real processes, for a bounded time. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  msMax = 20_000,
): Promise<void> {
  const startedMs = performance.now();
  while (!(await condition())) {
    assert.ok(performance.now() - startedMs < msMax, `did not come about within ${msMax} ms: ${what}`);
    await sleep(10);
  }
}

const COUNT_OPEN = `select (select count(*) from boathook_cell_0.deliveries where status = 'pending')::int as pending,
  (select count(*) from boathook_cell_0.queue)::int as queued`;

/** Waits until nothing is pending any more. */
export async function untilAllEnded(address: DatabaseAddress, msMax = 30_000): Promise<void> {
  let open: unknown;
  const ended = async () => {
    open = (await query(address, COUNT_OPEN)).rows[0];
    const { pending, queued } = open as { pending: number; queued: number };
    return pending === 0 && queued === 0;
  };
  await until(ended, "every delivery ends", msMax).catch((cause: Error) => {
    throw new Error(`${cause.message}: ${JSON.stringify(open)}`, { cause });
  });
}

export type Tally = {
  readonly accepted: number;
  readonly given: number;
  readonly deliveries: number;
  /** Arrivals that a receiver had answered 2xx already. */
  readonly duplicates: number;
  readonly refused: number;
};

type Row = {
  readonly id: string;
  readonly endpointId: string;
  readonly status: string;
  readonly attemptCount: number;
};

/** All that must hold once everything has ended; `interruptions` bounds how often one delivery may come again. */
export async function check(scene: Scene, address: DatabaseAddress, interruptions: number): Promise<Tally> {
  const { arrivals } = scene.receiver;
  const found = await query(
    address,
    `select id, endpoint_id as "endpointId", status, attempt_count as "attemptCount" from boathook_cell_0.deliveries`,
  );
  const rows = new Map((found.rows as Row[]).map((row) => [row.id, row]));
  const byId = Map.groupBy(arrivals, (arrival) => arrival.id);
  const byEvent = Map.groupBy(arrivals, (arrival) => `${arrival.path} ${arrival.number}`);

  let duplicates = 0;
  for (const [id, seen] of byId) {
    const row = rows.get(id);
    assert.ok(row !== undefined, `delivery ${id} arrived and is not in the database`);
    assert.ok(
      seen.every((arrival) => arrival.verified),
      `delivery ${id} came with a wrong signature`,
    );
    assert.equal(new Set(seen.map((arrival) => arrival.bodyHash)).size, 1, `the body of ${id} changed`);
    assert.equal(new Set(seen.map((arrival) => arrival.path)).size, 1, `${id} went to two endpoints`);
    duplicates += checkCounts(row, seen, interruptions);
  }
  for (const [number, event] of scene.accepted) {
    for (const endpoint of receiversOf(scene, event)) {
      const seen = byEvent.get(`${endpoint.path} ${number}`) ?? [];
      const ids = new Set(seen.map((arrival) => arrival.id));
      assert.equal(ids.size, 1, `event ${number} came to ${endpoint.path} as ${ids.size} deliveries`);
      const row = rows.get([...ids][0]!)!;
      assert.equal(row.endpointId, endpoint.id);
      assert.equal(
        row.status,
        endpoint.delivers ? "delivered" : "dead",
        `event ${number} at ${endpoint.path}`,
      );
    }
  }
  for (const arrival of arrivals)
    assert.ok(arrival.number < scene.given, "nothing arrives that nobody raised");
  const { given, refused } = scene;
  return { accepted: scene.accepted.size, given, deliveries: rows.size, duplicates, refused };
}

/** Attempts in the row against those that arrived; how often it came after it had been answered 2xx. */
function checkCounts(row: Row, seen: readonly Arrival[], interruptions: number): number {
  const { id, status, attemptCount } = row;
  const successes = seen.filter((arrival) => arrival.answered === 200).length;
  assert.ok(attemptCount <= 6, `${id} was attempted ${attemptCount} times`);
  assert.ok(
    attemptCount <= seen.length + interruptions,
    `${id}: ${attemptCount} counted, ${seen.length} arrived`,
  );
  assert.ok(
    seen.length <= attemptCount + interruptions,
    `${id}: ${attemptCount} counted, ${seen.length} arrived`,
  );
  if (status === "dead") assert.equal(attemptCount, 6, `${id} ended before its sixth attempt`);
  if (status === "delivered") assert.ok(successes > 0, `${id} is delivered and nobody answered 2xx`);
  return Math.max(0, successes - 1);
}

function receiversOf(
  scene: Scene,
  event: { readonly accountId: string; readonly type: string },
): SceneEndpoint[] {
  return scene.endpoints.filter(
    ({ accountId, eventTypes }) =>
      accountId === event.accountId && (eventTypes.length === 0 || eventTypes.includes(event.type)),
  );
}
