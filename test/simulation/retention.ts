/** What becomes of a world's deliveries in the days after it: its nodes are stopped, and start again a day later, and two. */
import { readDeliveries } from "./callers.ts";
import { killNode, type Node } from "./node.ts";
import { type FinalDelivery, isEverDeleted } from "./observed.ts";
import { START_MS } from "./beginning.ts";
import { run, worldMs } from "./time.ts";
import type { World } from "./world.ts";

type Ports = {
  readonly driven: <T>(work: Promise<T>) => Promise<T>;
  readonly started: (node: Node) => Promise<void>;
};

const HOUR_MS = 3_600_000;
/** What was parked early on has waited for twelve hours. */
const ENDED_MS = 16 * HOUR_MS;
/** After the second midnight; the first is a minute after the beginning, and events are raised in the ten minutes after it. */
const KEPT_MS = 24.02 * HOUR_MS;
const DAY_MS = 24 * HOUR_MS;
/** After the third. */
const DROPPED_MS = 48.1 * HOUR_MS;
/** The first sweep of a node that starts. */
const DROPPING_MS = 120_000;

/**
 * `BOATHOOK_HISTORY_DAYS` is 1: what has ended is there for a day, and gone after two. `BOATHOOK_PARKED_MAX` is twelve hours:
 * what waits for an inactive endpoint has ended by then.
 */
export async function wrongOfRetention(
  world: World,
  deliveries: readonly FinalDelivery[],
  { driven, started }: Ports,
): Promise<readonly string[]> {
  const gone = new Set(world.endpoints.filter(isEverDeleted).map(({ id }) => id));
  const its = deliveries.filter(({ endpointId }) => !gone.has(endpointId));
  const leftAt = async (atMs: number): Promise<ReadonlyMap<string, FinalDelivery>> => {
    for (const node of world.nodes) killNode(node);
    await run(atMs);
    await started(world.begin());
    await run(worldMs() + DROPPING_MS);
    return new Map((await driven(readDeliveries(world))).map((one) => [one.id, one]));
  };
  const ended = await leftAt(ENDED_MS);
  const kept = await leftAt(KEPT_MS);
  const keptMs = worldMs();
  const left = await leftAt(DROPPED_MS);
  return its.flatMap(({ id, status }) => {
    const wrong: string[] = [];
    if (!kept.has(id) && madeMs(id) > keptMs - DAY_MS)
      wrong.push(`${id} is ${status}, and gone within a day`);
    if (ended.get(id)?.status === "pending")
      wrong.push(`${id} waits longer than ${ENDED_MS / HOUR_MS} hours`);
    if (left.has(id)) wrong.push(`${id} was ${status}, and is still there after two days`);
    return wrong;
  });
}

/** UUIDs of version 7 begin with their time. */
function madeMs(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16) - START_MS;
}
