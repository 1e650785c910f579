/** What is to be told of calls that one transaction is about, and that it has been. */
import type { Connection } from "../../../store/database.ts";
import { readCallsOfVoyages } from "../store/port-calls.ts";
import type { SchedulePorts, ScheduleSettings } from "./broadcasting.ts";
import { voyageOf, type CallRecord } from "../calls/call-record.ts";
import {
  cancellationEvents,
  raisedCancellation,
  isNewlyCancelled,
  type CallChange,
} from "./blank-sailing.ts";
import type { EventDraft } from "./event-draft.ts";
import { callEvents } from "./call-events.ts";
import type { CallWorkingSet } from "../calls/call-working-set.ts";
import { readCallRecord } from "../calls/call-row.ts";

/** What is to be told of the calls that were touched; their records then know that it has been. */
export async function draftEvents(
  tx: Connection,
  { cells: [directory] }: SchedulePorts,
  { cutOffHours }: ScheduleSettings,
  known: CallWorkingSet,
  atMs: number,
): Promise<readonly EventDraft[]> {
  const changes = known.changes();
  const fresh = changes.filter(isNewlyCancelled).map(({ after }) => after);
  const voyages = fresh.length === 0 ? [] : await voyagesOf(tx, directory, fresh, changes);
  const cancelled = cancellationEvents(fresh, voyages, atMs);
  const drafts = [...cancelled.drafts];
  for (const change of changes) {
    const told = cancelled.raised.get(change.after.id) ?? raisedCancellation(change, atMs);
    const look = callEvents(
      { ...change.after, told: { ...change.after.told, cancelled: told } },
      cutOffHours,
      atMs,
    );
    known.put(look.record);
    drafts.push(...look.drafts);
  }
  return drafts;
}

/** All calls of the voyages that the calls belong to, as they are once `changes` have been written. */
async function voyagesOf(
  tx: Connection,
  directory: SchedulePorts["cells"][0],
  calls: readonly CallRecord[],
  changes: readonly CallChange[],
): Promise<readonly CallRecord[]> {
  const wanted = new Map<string, { readonly carrier: string; readonly voyage: string }>();
  for (const call of calls) {
    for (const voyage of [voyageOf(call), call.voyage.import ?? ""]) {
      if (voyage !== "")
        wanted.set(JSON.stringify([call.carrier, voyage]), { carrier: call.carrier, voyage });
    }
  }
  const stored = (await readCallsOfVoyages(tx, directory, [...wanted.values()])).map(readCallRecord);
  const now = new Map([...stored, ...changes.map(({ after }) => after)].map((record) => [record.id, record]));
  return [...now.values()];
}
