/**
 * Events that time alone raises: cut-offs that come near, slips that waited for the next day, lost calls.
 */
import { createWorkingSet } from "../calls/call-working-set.ts";
import { settleDueCalls } from "../calls/missing-calls.ts";
import { portCallLockDue } from "../store/port-calls.sql.ts";
import { broadcast, type SchedulePorts, type ScheduleSettings } from "./broadcasting.ts";
import { callEvents, voyageDueMs } from "./call-events.ts";

/** Calls of one transaction. */
const BATCH_MAX = 500;

/** Processes the calls that have been due for longest; true: there may be more. */
export async function processDueCalls(
  ports: SchedulePorts,
  settings: ScheduleSettings,
  atMs: number,
): Promise<boolean> {
  const { database, cell } = ports;
  const { cutOffHours } = settings;
  const [calls, events, waiting] = await database.transaction(async (tx) => {
    const due = await portCallLockDue(tx, cell, { at: atMs, limit: BATCH_MAX });
    const known = createWorkingSet(due);
    // These need their carrier, which must not be waited for while calls are locked.
    const late = known.all().filter((call) => (voyageDueMs(call) ?? Number.POSITIVE_INFINITY) <= atMs);
    const drafts = due.flatMap(({ id }) => {
      if (late.some((call) => call.id === id)) return [];
      const raised = callEvents(known.get(id), cutOffHours, atMs);
      known.put(raised.record);
      return raised.drafts;
    });
    await known.save(tx, cell, cutOffHours, atMs);
    await broadcast(tx, ports, drafts, atMs);
    return [due.length, drafts.length, late] as const;
  });
  for (const [carrier, some] of Map.groupBy(waiting, (call) => call.carrier)) {
    await settleDueCalls(
      ports,
      settings,
      carrier,
      some.map(({ id }) => id),
      atMs,
    );
  }
  if (events > 0 || waiting.length > 0) ports.wake();
  return calls === BATCH_MAX;
}
