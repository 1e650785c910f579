/** What becomes of a world's deliveries in the days after it: its nodes are stopped, and start again a day later, and two. */
import { readAll } from "./callers.ts";
import { killNode, type Node } from "./node.ts";
import { type FinalDelivery, isEverDeleted, textOrNull } from "./observed.ts";
import { run, worldMs } from "./time.ts";
import type { World } from "./world.ts";

type Ports = {
  readonly driven: <T>(work: Promise<T>) => Promise<T>;
  readonly started: (node: Node) => Promise<void>;
};

const HOUR_MS = 3_600_000;
/** After the first midnight, which is a minute after the beginning: all is younger than a day. */
const KEPT_MS = 23 * HOUR_MS;
/** After the second midnight since the day on which all was raised. */
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
  const kept = await leftAt(KEPT_MS - DROPPING_MS);
  const left = await leftAt(DROPPED_MS);
  return its.flatMap(({ id, status }) => {
    const wrong: string[] = [];
    if (!kept.has(id)) wrong.push(`${id} is ${status}, and gone within a day`);
    if (kept.get(id)?.status === "pending") wrong.push(`${id} still waits after a day`);
    if (left.has(id)) wrong.push(`${id} was ${status}, and is still there after two days`);
    return wrong;
  });
}

export async function readDeliveries(world: World): Promise<readonly FinalDelivery[]> {
  const found = await readAll(world, "/v1/deliveries", "deliveries");
  return found.map((one) => ({
    id: String(one["id"]),
    endpointId: String(one["endpoint_id"]),
    eventId: String(one["event_id"]),
    status: String(one["status"]),
    attemptCount: Number(one["attempt_count"]),
    deliveredAt: textOrNull(one["delivered_at"]),
    parkedUntil: textOrNull(one["parked_until"]),
  }));
}
