/** Drafts the events of one transaction's calls, and records in the calls that they are raised. */
import type { Connection } from "../../../store/database.ts";
import { isCancelledByVoyage, touchesVoyage, withVoyageStatus } from "../calls/cancelled-voyage.ts";
import type { CallRecord } from "../calls/call-record.ts";
import { loadVoyages, type CallWorkingSet } from "../calls/call-working-set.ts";
import {
  cancellationEvents,
  raisedCancellation,
  isNewlyCancelled,
  type CallChange,
} from "./blank-sailing.ts";
import { broadcast, type SchedulePorts, type ScheduleSettings } from "./broadcasting.ts";
import { callEvents } from "./call-events.ts";
import type { EventDraft } from "./event-draft.ts";

/** Saves the changed calls and broadcasts their events; counts both. */
export async function saveWithEvents(
  tx: Connection,
  ports: SchedulePorts,
  settings: ScheduleSettings,
  known: CallWorkingSet,
  atMs: number,
): Promise<{ readonly added: number; readonly changed: number; readonly events: number }> {
  const drafts = await draftEvents(tx, ports, settings, known, atMs);
  const saved = await known.save(tx, ports.cell, settings.cutOffHours, atMs);
  await broadcast(tx, ports, drafts, atMs);
  await ports.onCallsChanged?.(tx, ports.cell, known.changes(), atMs);
  return { ...saved, events: drafts.length };
}

async function draftEvents(
  tx: Connection,
  { cell }: SchedulePorts,
  { cutOffHours }: ScheduleSettings,
  known: CallWorkingSet,
  atMs: number,
): Promise<readonly EventDraft[]> {
  const touched = known.changes().filter(({ before, after }) => touchesVoyage(before, after));
  const fresh = known.changes().filter(isNewlyCancelled);
  await loadVoyages(
    tx,
    cell,
    known,
    [...touched, ...fresh].map(({ after }) => after),
  );
  const { drafts, calls } = eventsOf(known.changes(), known.all(), cutOffHours, atMs);
  for (const call of calls) known.put(call);
  return drafts;
}

/** The events of changed calls, and the calls as they are then. `all`: all known calls of their voyages. */
export function eventsOf(
  changes: readonly CallChange[],
  all: readonly CallRecord[],
  cutOffHours: readonly number[],
  atMs: number,
): { readonly drafts: readonly EventDraft[]; readonly calls: readonly CallRecord[] } {
  const touched = changes.filter(({ before, after }) => touchesVoyage(before, after));
  const spread = withVoyageStatus(
    touched.map(({ after }) => after),
    all,
    atMs,
  );
  const now = new Map(all.map((call) => [call.id, call]));
  const changed = new Map(changes.map((change) => [change.after.id, change]));
  for (const after of spread) {
    changed.set(after.id, {
      before: changed.has(after.id) ? changed.get(after.id)!.before : now.get(after.id)!,
      after,
    });
    now.set(after.id, after);
  }
  const fresh = [...changed.values()].filter(isNewlyCancelled).map(({ after }) => after);
  // The call that the carrier cancels gives the reason.
  const [stated, others] = [
    fresh.filter((call) => !isCancelledByVoyage(call)),
    fresh.filter(isCancelledByVoyage),
  ];
  const cancellations = cancellationEvents([...stated, ...others], [...now.values()], atMs);
  const drafts = [...cancellations.drafts];
  const calls = [...changed.values()].map((change) => {
    const { after } = change;
    const cancelled = cancellations.raised.get(after.id) ?? raisedCancellation(change, atMs);
    const events = callEvents({ ...after, raised: { ...after.raised, cancelled } }, cutOffHours, atMs);
    drafts.push(...events.drafts);
    return events.record;
  });
  return { drafts, calls };
}
