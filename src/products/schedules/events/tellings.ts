/** What is to be told of calls that one transaction is about, and that it has been. */
import type { Connection } from "../../../store/database.ts";
import { callsOfVoyages } from "../store/port-calls.ts";
import type { SchedulePorts, ScheduleSettings } from "./broadcasting.ts";
import { voyageOf, type CallRecord } from "../calls/call-record.ts";
import { cancellationEvents, cancelledTold, isFreshlyCancelled, type CallChange } from "./blank-sailing.ts";
import type { Draft } from "./draft.ts";
import { lookAtCall } from "./of-call.ts";
import type { KnownCalls } from "../calls/known-calls.ts";
import { readRecord } from "../calls/rows.ts";

/** What is to be told of the calls that were touched; their records then know that it has been. */
export async function tellings(
  tx: Connection,
  { cells: [directory] }: SchedulePorts,
  { cutOffHours }: ScheduleSettings,
  known: KnownCalls,
  atMs: number,
): Promise<readonly Draft[]> {
  const changes = known.touched();
  const fresh = changes.filter(isFreshlyCancelled).map(({ after }) => after);
  const voyages = fresh.length === 0 ? [] : await voyagesOf(tx, directory, fresh, changes);
  const cancelled = cancellationEvents(fresh, voyages, atMs);
  const drafts = [...cancelled.drafts];
  for (const change of changes) {
    const told = cancelled.told.get(change.after.id) ?? cancelledTold(change, atMs);
    const look = lookAtCall(
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
  const stored = (await callsOfVoyages(tx, directory, [...wanted.values()])).map(readRecord);
  const now = new Map([...stored, ...changes.map(({ after }) => after)].map((record) => [record.id, record]));
  return [...now.values()];
}
