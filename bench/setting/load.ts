/** Puts load on a running service, and waits for what comes of it. */
import type { Bench } from "./bench.ts";
import { SEQUENCE_FIRST } from "./events.ts";
import type { Postgres } from "./postgres.ts";
import type { RunningService } from "./running.ts";

/** How long deliveries may take to arrive, and results to be written, once no more is raised. */
const SETTLE_MS_MAX = 60_000;

/** Less than every id. */
const NO_ID = "00000000-0000-0000-0000-000000000000";

export type FullLoadResult = {
  readonly raised: number;
  /** Deliveries a second to endpoints that are well, from the first request to the last of them settled. */
  readonly perSecond: number;
};

/** Raises as fast as it goes; `wellShare` is the part of the endpoints that are well. */
export async function loadFully(
  bench: Bench,
  { postgres }: RunningService,
  seconds: number,
  wellShare = 1,
): Promise<FullLoadResult> {
  const { eventsPerRequest, requestsOpen } = bench.plan;
  await bench.receiver.call("reset", { sequences: 0 });
  const before = await newestId(postgres, "deliveries");
  const startedMs = performance.now();
  const { raised } = await bench.raising.call("full", { eventsPerRequest, requestsOpen, seconds });
  const expected = Math.round(raised * wellShare);
  await arrived(bench, expected);
  await settled(postgres, before, expected);
  return { raised, perSecond: (expected * 1_000) / (performance.now() - startedMs) };
}

/** Raises at a rate; returns, for each delivery to an endpoint that is well, the ms from its commit to its arrival. */
export async function loadPaced(
  bench: Bench,
  { postgres, accounts }: RunningService,
  eventsPerSecond: number,
  isWell: (endpoint: number) => boolean = () => true,
): Promise<number[]> {
  const { pacedSeconds: seconds, eventsPerPacedRequest: eventsPerRequest } = bench.plan;
  await bench.receiver.call("reset", { sequences: Math.ceil(eventsPerSecond * seconds) });
  const before = await newestId(postgres, "events");
  const { raised } = await bench.raising.call("paced", { eventsPerRequest, eventsPerSecond, seconds });
  let expected = 0;
  for (let sequence = 0; sequence < raised; sequence++) if (isWell(sequence % accounts.length)) expected += 1;
  await arrived(bench, expected);
  const arrivedAtMs = await bench.receiver.call("arrivedAtMs", undefined);
  const latenciesMs: number[] = [];
  for (const { sequence, committedAtMs } of await commits(postgres, before)) {
    if (isWell(sequence % accounts.length)) latenciesMs.push(arrivedAtMs[sequence]! - committedAtMs);
  }
  return latenciesMs;
}

async function arrived(bench: Bench, count: number): Promise<void> {
  if (await bench.receiver.call("reached", { count, withinMs: SETTLE_MS_MAX })) return;
  const { arrivalsAtHealthy } = await bench.receiver.call("counts", undefined);
  throw new Error(`${count} deliveries should have arrived, and ${arrivalsAtHealthy} have`);
}

/** Resolves when so many deliveries that are younger than `before` are settled as delivered. */
async function settled({ client }: Postgres, before: string, count: number): Promise<void> {
  const untilMs = performance.now() + SETTLE_MS_MAX;
  for (;;) {
    const { rows } = await client.query<{ delivered: string }>(
      "select count(*) as delivered from deliveries where id > $1 and status = 'delivered'",
      [before],
    );
    const delivered = Number(rows[0]!.delivered);
    if (delivered === count) return;
    if (delivered > count || performance.now() > untilMs) {
      throw new Error(`${count} deliveries should be settled as delivered, and ${delivered} are`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** When each event after `before` was committed, by PostgreSQL; a little before the commit was on the disk. */
async function commits({ client }: Postgres, before: string) {
  const { rows } = await client.query<{ sequence: number; committedAtMs: number }>(
    `select substring(data from '"sequence":(\\d+)')::integer - ${SEQUENCE_FIRST} as sequence,
       (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::double precision as "committedAtMs"
     from events where id > $1`,
    [before],
  );
  return rows;
}

/** The clock does not tell it: the service's may be a millisecond behind the bench's. */
async function newestId({ client }: Postgres, table: "deliveries" | "events"): Promise<string> {
  const { rows } = await client.query<{ id: string }>(`select id from ${table} order by id desc limit 1`);
  return rows[0]?.id ?? NO_ID;
}

/** Statements that PostgreSQL has run outside of transactions of several, and such transactions, all clients counted. */
export async function transactionsOf({ client }: Postgres): Promise<number> {
  await client.query("select pg_stat_clear_snapshot()");
  const { rows } = await client.query<{ count: string }>(
    "select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()",
  );
  return Number(rows[0]!.count);
}
