/** What time alone brings about: cut-offs that come near, and slips that waited for the next day. */
import { lockDueCalls } from "../store/port-calls.ts";
import { broadcast, type SchedulePorts, type ScheduleSettings } from "./broadcasting.ts";
import { callEvents } from "./call-events.ts";
import { createWorkingSet } from "../calls/call-working-set.ts";

/** Calls of one transaction. */
const BATCH_MAX = 500;

/** Looks at the calls that are due longest; true when there may be more. */
export async function processDueCalls(
  ports: SchedulePorts,
  { cutOffHours }: ScheduleSettings,
  atMs: number,
): Promise<boolean> {
  const { database, cells } = ports;
  const [looked, events] = await database.transaction(async (tx) => {
    const due = await lockDueCalls(tx, cells[0], atMs, BATCH_MAX);
    const known = createWorkingSet(due);
    const drafts = due.flatMap(({ id }) => {
      const look = callEvents(known.get(id), cutOffHours, atMs);
      known.put(look.record);
      return look.drafts;
    });
    await known.save(tx, cells[0], cutOffHours, atMs);
    await broadcast(tx, ports, drafts, atMs);
    return [due.length, drafts.length] as const;
  });
  if (events > 0) ports.wake();
  return looked === BATCH_MAX;
}
