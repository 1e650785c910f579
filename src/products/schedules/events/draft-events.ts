/** Drafts the events of one transaction's calls, and records in the calls that they are raised. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { voyageOf, type CallRecord } from "../calls/call-record.ts";
import { readCallRecord } from "../calls/call-row.ts";
import type { CallWorkingSet } from "../calls/call-working-set.ts";
import { readCallsOfVoyages } from "../store/port-calls.ts";
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
  const [directory] = ports.cells;
  const drafts = await draftEvents(tx, directory, settings, known, atMs);
  const saved = await known.save(tx, directory, settings.cutOffHours, atMs);
  await broadcast(tx, ports, drafts, atMs);
  await ports.onCallsChanged?.(tx, known.changes(), atMs);
  return { ...saved, events: drafts.length };
}

async function draftEvents(
  tx: Connection,
  directory: Cell,
  { cutOffHours }: ScheduleSettings,
  known: CallWorkingSet,
  atMs: number,
): Promise<readonly EventDraft[]> {
  const changes = known.changes();
  const fresh = changes.filter(isNewlyCancelled).map(({ after }) => after);
  const voyages = fresh.length === 0 ? [] : await voyagesOf(tx, directory, fresh, changes);
  const cancellations = cancellationEvents(fresh, voyages, atMs);
  const drafts = [...cancellations.drafts];
  for (const change of changes) {
    const { after } = change;
    const cancelled = cancellations.raised.get(after.id) ?? raisedCancellation(change, atMs);
    const events = callEvents({ ...after, raised: { ...after.raised, cancelled } }, cutOffHours, atMs);
    known.put(events.record);
    drafts.push(...events.drafts);
  }
  return drafts;
}

/** All calls of the calls' voyages, as they will be once `changes` are written. */
async function voyagesOf(
  tx: Connection,
  directory: Cell,
  calls: readonly CallRecord[],
  changes: readonly CallChange[],
): Promise<readonly CallRecord[]> {
  const wanted = new Map<string, { readonly carrier: string; readonly voyage: string }>();
  for (const { carrier, voyage: numbers } of calls) {
    for (const voyage of [voyageOf({ voyage: numbers }), numbers.import ?? ""]) {
      if (voyage !== "") wanted.set(JSON.stringify([carrier, voyage]), { carrier, voyage });
    }
  }
  const stored = (await readCallsOfVoyages(tx, directory, [...wanted.values()])).map(readCallRecord);
  const now = new Map([...stored, ...changes.map(({ after }) => after)].map((record) => [record.id, record]));
  return [...now.values()];
}
