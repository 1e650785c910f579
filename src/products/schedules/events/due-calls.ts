/** Events that time alone raises: cut-offs that come near, and slips that waited for the next day. */
import { createWorkingSet } from "../calls/call-working-set.ts";
import { lockDueCalls } from "../store/port-calls.ts";
import { broadcast, type SchedulePorts, type ScheduleSettings } from "./broadcasting.ts";
import { callEvents } from "./call-events.ts";

/** Calls of one transaction. */
const BATCH_MAX = 500;

/** Processes the calls that have been due for longest; true: there may be more. */
export async function processDueCalls(
  ports: SchedulePorts,
  { cutOffHours }: ScheduleSettings,
  atMs: number,
): Promise<boolean> {
  const { database, cells } = ports;
  const [calls, events] = await database.transaction(async (tx) => {
    const due = await lockDueCalls(tx, cells[0], atMs, BATCH_MAX);
    const known = createWorkingSet(due);
    const drafts = due.flatMap(({ id }) => {
      const raised = callEvents(known.get(id), cutOffHours, atMs);
      known.put(raised.record);
      return raised.drafts;
    });
    await known.save(tx, cells[0], cutOffHours, atMs);
    await broadcast(tx, ports, drafts, atMs);
    return [due.length, drafts.length] as const;
  });
  if (events > 0) ports.wake();
  return calls === BATCH_MAX;
}
