/** What the service made of its sources, once they say nothing more: until it shows all, and what it raised. */
import { DAY_MS } from "../../packages/simulator/src/world/durations.ts";
import { hasStatus, insist, probe, readAll, track } from "./callers.ts";
import type { Body } from "./http.ts";
import type { RaisedBySource, ShownCall } from "./journeys.ts";
import type { Node } from "./node.ts";
import { POLL_INTERVAL_MS, POLL_LEASE_MS, type Sources, type Trackable } from "./sources.ts";
import { START_MS } from "./beginning.ts";
import { after, worldMs } from "./time.ts";
import { CANCELLED, SHOWN_CANCELLED } from "./trade.ts";
import { servingNodes, type World } from "./world.ts";

/** How long it takes until a container has been polled: the lease of a poll whose node is gone, and the poll. */
const POLLED_MS_MAX = POLL_LEASE_MS + 20_000;
const FETCHED_MS_MAX = 140_000;

/** The carriers say nothing more: all is tracked, and polled to the end. */
export async function untilPolled(world: World, sources: Sources): Promise<void> {
  const node = servingNodes(world)[0]!;
  sources.stand();
  const tracked: (readonly [Trackable, Body])[] = [];
  for (const one of sources.trackable) {
    const answer = await track(world, node, one);
    if (answer === null)
      return void world.wrong.push(`${one.reference} cannot be tracked when all is at rest`);
    tracked.push([one, answer]);
  }
  const untilMs = worldMs() + POLLED_MS_MAX;
  for (const [one, answer] of tracked) {
    const status = one.trueStatus();
    if (status === null) continue;
    while (!(await hasStatus(world, node, one, answer, status))) {
      if (worldMs() >= untilMs) {
        world.wrong.push(`${one.reference} is ${status} by its source, and not shown so`);
        break;
      }
      await new Promise<void>((resolve) => void after(POLL_INTERVAL_MS, resolve));
    }
  }
}

/** The longest fetch that may have begun before the liners said nothing more. */
const FETCH_MS_MAX = 20_000;

/** The liners say nothing more: their feeds are fetched, and what the service shows is compared with the truth. */
export async function untilFetched(world: World, sources: Sources): Promise<void> {
  const untilMs = worldMs() + FETCHED_MS_MAX;
  const read = () => readBehind(world, sources);
  let behind = await read();
  for (; behind.length > 0 && worldMs() < untilMs; behind = await read())
    await new Promise<void>((resolve) => void after(POLL_INTERVAL_MS, resolve));
  for (const { name, is_being_asked: isAsked, next_fetch_at: next } of behind)
    // The lease of a node that is gone lasts a quarter of an hour, and waits after failures grow.
    if (isAsked !== true && Date.parse(String(next)) + FETCH_MS_MAX < START_MS + worldMs())
      world.wrong.push(`${String(name)} is not fetched`);
  const shown = await readCalls(world, sources);
  world.wrong.push(...sources.trade.wrongOf(shown, new Set(behind.map(({ name }) => String(name)))));
}

/** The feeds that have an answer, and have not been fetched with success since their liners say nothing more. */
async function readBehind(world: World, { trade }: Sources): Promise<readonly Body[]> {
  const { feeds } = (await insist(world, "/v1/schedules/feeds")) as { readonly feeds: readonly Body[] };
  const stoodMs = START_MS + world.story.lastsMs + FETCH_MS_MAX;
  return feeds.filter(
    ({ name, fetched_at: at, failures, outcome }) =>
      !trade.isAway(String(name)) &&
      (failures !== 0 || outcome === "broken_off" || typeof at !== "string" || Date.parse(at) < stoodMs),
  );
}

/** Around what the feeds say. */
const CALLS_WITHIN = {
  from: new Date(START_MS - 14 * DAY_MS).toISOString().slice(0, 10),
  to: new Date(START_MS + 60 * DAY_MS).toISOString().slice(0, 10),
};

async function readCalls(world: World, { trade }: Sources): Promise<readonly Body[]> {
  const found: Body[] = [];
  for (const port of trade.ports)
    found.push(...(await readAll(world, "/v1/schedules/calls", "calls", { port, ...CALLS_WITHIN })));
  return found;
}

export async function readHistories(world: World, sources: Sources): Promise<readonly ShownCall[]> {
  const found: ShownCall[] = [];
  for (const { id } of await readCalls(world, sources)) {
    const call = await insist(world, `/v1/schedules/calls/${String(id)}`);
    const changes = call["changes"] as readonly Body[];
    found.push({
      service: String(call["service"]),
      port: String(call["port"]),
      importVoyage: String(call["import_voyage"]),
      exportVoyage: String(call["export_voyage"]),
      isCancelled: SHOWN_CANCELLED.has(call["status"]),
      cancelledMs: changes
        .filter(({ from, to }) => CANCELLED.has(to) && !CANCELLED.has(from))
        .map(({ changed_at: at }) => Date.parse(String(at)) - START_MS),
    });
  }
  return found;
}

/** What a node shows of containers and waybills, if it answers. */
export async function lookAtJourneys({ accounts, journeys, sources }: World, node: Node | undefined) {
  if (sources === null) return;
  const read = async (rows: string): Promise<readonly Body[] | null> => {
    const path = `/v1/${rows}?limit=100&account_id=${accounts[0]!.id}`;
    const answer = await probe(node?.ports.operator, path);
    return answer?.status === 200 ? (answer.body[rows] as readonly Body[]) : null;
  };
  const [containers, waybills] = [await read("containers"), await read("waybills")];
  if (containers === null || waybills === null) return;
  const statuses = [...containers, ...waybills].map(
    ({ id, awb, status }) => [String(awb ?? id), String(status)] as const,
  );
  journeys.push({ doneMs: worldMs(), statuses: new Map(statuses) });
}

/** What nobody raised but the service itself, in the order of raising. */
export async function readSourced(world: World): Promise<readonly RaisedBySource[]> {
  const found: RaisedBySource[] = [];
  const wanted = world.sources === null ? { type: "api_change_announced" } : {};
  for (const product of ["tracking", "air", "schedules"])
    for (const { id } of await readAll(world, "/v1/events", "events", { product, ...wanted })) {
      const one = await insist(world, `/v1/events/${String(id)}`);
      const [type, data] = [String(one["type"]), String(one["data"])];
      if (type === "ping" || data.includes('"marker"')) continue;
      found.push({
        id: String(id),
        account: world.accounts.findIndex((account) => account.id === one["account_id"]),
        product,
        type,
        data,
        raisedMs: Date.parse(String(one["raised_at"])) - START_MS,
      });
    }
  return found.toReversed();
}
