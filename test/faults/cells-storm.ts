/**
 * Two services over the cells of a Citus cluster, under load, while cells move and servers die and freeze. A cell whose
 * server is ill may refuse; it must do so at once, and no other cell may notice.
 */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { startCitus, type CitusCluster, type CitusNode } from "../support/citus.ts";
import { query } from "../support/database.ts";
import type { DatabaseAddress } from "../../src/store/database.ts";
import { check, untilAllEnded, type Tally } from "./books.ts";
import { atEnd } from "./endings.ts";
import { draw, type NumberedEvent } from "./load.ts";
import { openScene, well } from "./scene.ts";
import {
  newClient,
  OPERATOR_TOKEN,
  QUICK_ENVIRONMENT,
  register,
  startServe,
  type ServiceProcess,
} from "./service.ts";
import {
  checkCalls,
  GAP_MS_MAX,
  gapsOf,
  isWarm,
  RECOVERY_MS,
  watchStalls,
  type Gap,
  type Stormed,
} from "./storm-books.ts";
import { until } from "./until.ts";

export type StormOptions = {
  readonly cells: number;
  readonly accountsACell: number;
  /** Events that are accepted at least. */
  readonly events: number;
  readonly eventsACall: number;
  readonly pauseMs: number;
  /** How long each server lies dead, or frozen. */
  readonly downMs: number;
  readonly frozenMs: number;
  /** How often all of it happens. */
  readonly rounds: number;
  /** Before it, in which the servers' processor time is measured. */
  readonly calmMs: number;
  /** A node also starts while a worker is frozen, which takes some ten seconds. */
  readonly startsWhileFrozen: boolean;
};

export type StormTally = Tally & {
  /** The longest time in which a healthy cell delivered nothing, by trouble. */
  readonly gaps: Readonly<Record<string, Gap>>;
  /** The slowest answer, and the slowest of a cell that was well. */
  readonly answerMs: number;
  readonly answerOfWellMs: number;
  readonly movesMs: readonly number[];
  readonly startsMs: readonly number[];
};

const CALL_MS_MAX = 30_000;
const AGAIN_MS = 50;

type Storm = Stormed & {
  readonly options: StormOptions;
  readonly cluster: CitusCluster;
  readonly directory: DatabaseAddress;
  readonly database: string;
  readonly services: readonly ServiceProcess[];
  readonly movesMs: number[];
  /** How long nodes took to start amid troubles. */
  readonly startsMs: number[];
  readonly environment: Readonly<Record<string, string>>;
};

export async function weather(t: TestContext, options: StormOptions): Promise<StormTally> {
  const storm = await open(t, options);
  const stop = startCallers(storm);
  await until(() => isWarm(storm), "every cell delivers", 60_000);
  for (let round = 0; round < options.rounds; round++) await oneRound(storm);
  await until(() => storm.scene.accepted.size >= options.events, "the load was worth it", 600_000);
  await stop();
  const { scene, directory, schemas, services, troubles } = storm;
  await untilAllEnded(directory, 60_000, schemas);
  const tally = await check(scene, directory, troubles.length, schemas);
  for (const service of services) await service.stop();
  const told = {
    ...tally,
    gaps: gapsOf(storm),
    ...checkCalls(storm),
    movesMs: storm.movesMs,
    startsMs: storm.startsMs,
  };
  t.diagnostic(JSON.stringify(told));
  for (const [during, { ms }] of Object.entries(told.gaps))
    assert.ok(ms < GAP_MS_MAX, `a healthy cell delivered nothing for ${ms} ms: ${during}`);
  return told;
}

async function open(t: TestContext, options: StormOptions): Promise<Storm> {
  const cluster = await startCitus();
  atEnd(t, () => cluster.stop());
  const { name: database, coordinator: directory } = await cluster.createDatabase("storm");
  const scene = await openScene(t);
  const environment = {
    ...QUICK_ENVIRONMENT,
    BOATHOOK_DATABASE_URL: (directory as { url: string }).url,
    BOATHOOK_CELLS: String(options.cells),
  };
  const services = [await startServe(t, scene, environment), await startServe(t, scene, environment)];
  const homes = new Map<string, string>();
  for (let number = 0; number < options.cells * options.accountsACell; number++) {
    const service = services[number % 2]!;
    const client = await newClient(service);
    await register(scene, service, client, well);
  }
  const { rows } = await query(directory, "select id, cell from boathook.accounts");
  for (const { id, cell } of rows) homes.set(id, `boathook_cell_${cell}`);
  const schemas = Array.from({ length: options.cells }, (_, number) => `boathook_cell_${number}`);
  assert.equal(new Set(homes.values()).size, options.cells, "each cell has accounts");
  const { stalls, stop } = watchStalls();
  atEnd(t, async () => stop());
  const empty = { troubles: [], calls: [], movesMs: [], startsMs: [], stalls };
  return { t, options, scene, cluster, directory, database, schemas, services, homes, environment, ...empty };
}

/** For each account a caller, who asks the two services in turn; every other one repeats what is refused. */
function startCallers(storm: Storm): () => Promise<void> {
  const { t, scene, homes, options } = storm;
  let over = false;
  const run = async (accountId: string, number: number): Promise<void> => {
    const keyed = number % 2 === 1;
    let events: readonly NumberedEvent[] | null = null;
    for (let turn = number; !over; turn++) {
      events ??= draw(scene, options.eventsACall, keyed, [accountId]);
      const isTaken = await raise(storm, turn % 2, homes.get(accountId)!, events);
      if (isTaken || !keyed) events = null;
      await sleep(isTaken ? options.pauseMs : AGAIN_MS);
    }
  };
  const running = Promise.all([...homes.keys()].map(run));
  running.catch(() => undefined);
  atEnd(t, () => {
    over = true;
  });
  return async () => {
    over = true;
    await running;
  };
}

async function raise(
  { scene, services, calls }: Storm,
  service: number,
  cell: string,
  events: readonly NumberedEvent[],
): Promise<boolean> {
  const startedMs = performance.now();
  const response = await fetch(`${services[service]!.opsUrl}/v1/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({
      events: events.map(({ product, accountId, type, data, occurredAtMs, dedupKey }) => ({
        product,
        account_id: accountId,
        type,
        data: JSON.parse(data),
        occurred_at: new Date(occurredAtMs).toISOString(),
        ...(dedupKey === undefined ? {} : { dedup_key: dedupKey }),
      })),
    }),
    signal: AbortSignal.timeout(CALL_MS_MAX),
  });
  const text = await response.text();
  const { status } = response;
  assert.ok(status === 202 || status === 503, `raising was answered ${status}: ${text}`);
  const hasRetryAfter = response.headers.has("retry-after");
  calls.push({ cell, status, startedMs, endedMs: performance.now(), hasRetryAfter });
  if (status === 503) scene.refused += 1;
  if (status !== 202) return false;
  for (const event of events) scene.accepted.set(event.number, event);
  return true;
}

async function oneRound(storm: Storm): Promise<void> {
  const { cluster, options, schemas } = storm;
  const { downMs, frozenMs } = options;
  const [one, other] = cluster.workers as [CitusNode, CitusNode];
  await trouble(storm, "calm", [], () => measure(storm));
  await trouble(storm, "moves", [], async () => {
    await move(storm, schemas[0]!);
    await move(storm, schemas[0]!);
  });
  await trouble(storm, "a killed worker", await cellsOf(storm, one), async () => {
    await one.crash();
    await Promise.all([sleep(downMs), startAmid(storm, await cellsOf(storm, one))]);
    await one.start();
  });
  await trouble(storm, "a killed coordinator", [], async () => {
    await cluster.coordinator.crash();
    await sleep(downMs);
    await cluster.coordinator.start();
  });
  await trouble(storm, "a frozen worker", await cellsOf(storm, other), async () => {
    const cells = await cellsOf(storm, other);
    other.freeze();
    await Promise.all([sleep(frozenMs), options.startsWhileFrozen ? startAmid(storm, cells) : null]);
    other.wake();
  });
}

/** What a delivery costs each server, in microseconds of processor time: the coordinator's, and then the workers'. */
async function measure({ t, cluster, scene, options }: Storm): Promise<void> {
  const servers = [cluster.coordinator, ...cluster.workers];
  const before = servers.map((server) => server.processorMs());
  const arrived = scene.receiver.arrivals.length;
  await sleep(options.calmMs);
  const deliveries = scene.receiver.arrivals.length - arrived;
  const micros = servers.map((server, index) =>
    Math.round(((server.processorMs() - before[index]!) * 1_000) / deliveries),
  );
  t.diagnostic(`${deliveries} deliveries, each with ${micros.join(", ")} µs of processor time`);
}

/** A node that starts while cells are ill serves the others, and says which it cannot. */
async function startAmid(
  { t, scene, environment, schemas, startsMs }: Storm,
  ill: readonly string[],
): Promise<void> {
  const startedMs = performance.now();
  const service = await startServe(t, scene, environment);
  startsMs.push(Math.round(performance.now() - startedMs));
  const answer = await fetch(`${service.opsUrl}/readyz`);
  const body = (await answer.json()) as { status: string; cells?: object };
  assert.equal(answer.status, 200, JSON.stringify(body));
  // Cells of products may lie on the same server.
  assert.deepEqual(
    Object.keys(body.cells ?? {}).filter((name) => /^\d+$/.test(name)),
    ill.map((schema) => String(schemas.indexOf(schema))),
  );
  await service.stop();
}

async function trouble(
  { troubles, t }: Storm,
  name: string,
  cells: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const one = { name, cells: new Set(cells), fromMs: performance.now(), untilMs: Number.POSITIVE_INFINITY };
  troubles.push(one);
  await work();
  one.untilMs = performance.now();
  t.diagnostic(`${name}: ${Math.round(one.untilMs - one.fromMs)} ms, cells ${cells.join()}`);
  await sleep(RECOVERY_MS);
}

async function portOf({ directory }: Storm, schema: string): Promise<number> {
  const sql = "select distinct nodeport as port from citus_shards where table_name::text like $1";
  return (await query(directory, sql, [`${schema}.%`])).rows[0].port;
}

async function cellsOf(storm: Storm, { port }: CitusNode): Promise<readonly string[]> {
  const cells: string[] = [];
  for (const schema of storm.schemas) if ((await portOf(storm, schema)) === port) cells.push(schema);
  assert.ok(cells.length > 0, "the worker has cells");
  return cells;
}

async function move(storm: Storm, schema: string): Promise<void> {
  const from = await portOf(storm, schema);
  const { port } = storm.cluster.workers.find((worker) => worker.port !== from)!;
  const startedMs = performance.now();
  await query(
    storm.directory,
    `select citus_schema_move('${schema}', '127.0.0.1', ${port}, 'force_logical')`,
  );
  storm.movesMs.push(Math.round(performance.now() - startedMs));
}
