/**
 * What a complete fetch left out: calls that its feed has told of before, that are still to come, and that lie within
 * what it was complete about. Taken a few voyages at a time, for a voyage that is gone as a whole is told of as one.
 *
 * With a horizon, a call between the end of the scope and the horizon is gone only when a later call of its voyage was
 * told; and a voyage of which nothing was told is gone when all of it lies within the scope, not piece by piece.
 */
import { listScopedCalls, lockCarriers, lockMissingCalls, type ScopedCall } from "../store/port-calls.ts";
import type { Connection } from "../../../store/database.ts";
import { broadcast, type SchedulePorts, type ScheduleSettings } from "../events/broadcasting.ts";
import type { CallRecord } from "./call-record.ts";
import type { CompleteScope } from "./call-statement.ts";
import { isMade } from "./cancellation.ts";
import { createWorkingSet } from "./call-working-set.ts";
import { nextRecordWhenMissing, type Provenance } from "./next-call-record.ts";
import { draftEvents } from "../events/draft-events.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** Calls whose keys are read at once. */
const PAGE_MAX = 5_000;
/** Calls of one transaction, unless one voyage has more. */
const BATCH_MAX = 500;
/** The same vessel at the same port about then is the same call under another number. */
const REPLACED_MS_MAX = 3 * DAY_MS;

/** `ids` are the calls that the fetch did tell of. */
export async function markMissing(
  ports: SchedulePorts,
  settings: ScheduleSettings,
  telling: Provenance,
  scope: CompleteScope,
  ids: ReadonlySet<string>,
): Promise<{ readonly missing: number; readonly events: number }> {
  let [missing, events] = [0, 0];
  const voyages = await voyagesWithin(ports, telling, scope);
  for (const batch of batchesOf(voyages.map((voyage) => missingFrom(voyage, scope, ids)))) {
    const taken = await ports.database.transaction((tx) =>
      markBatch(tx, ports, settings, telling, scope.carrier, batch),
    );
    if (taken.events > 0) ports.wake();
    missing += taken.missing;
    events += taken.events;
  }
  return { missing, events };
}

type Voyage = readonly ScopedCall[];

/** The calls to come of what the scope is about, by voyage; those without a number each by itself. */
async function voyagesWithin(
  { database, cells: [directory] }: SchedulePorts,
  { atMs }: Provenance,
  scope: CompleteScope,
): Promise<readonly Voyage[]> {
  const calls: ScopedCall[] = [];
  let goesOn = true;
  while (goesOn) {
    const behind = calls.at(-1)?.id ?? null;
    const page: Voyage = await listScopedCalls(database, directory, { ...scope, atMs }, behind, PAGE_MAX);
    calls.push(...page);
    goesOn = page.length === PAGE_MAX;
  }
  const nameOf = ({ id, service, voyage }: ScopedCall) =>
    JSON.stringify(voyage === "" ? [id] : [voyage, service]);
  return [...Map.groupBy(calls, nameOf).values()];
}

/** Of a voyage the calls that count as gone: those that the fetch had to tell of and did not. */
export function missingFrom(
  voyage: Voyage,
  { toMs, horizonMs }: CompleteScope,
  ids: ReadonlySet<string>,
): readonly string[] {
  const timeOf = ({ callsAt }: ScopedCall) => callsAt.getTime();
  const told = voyage.filter(({ id }) => ids.has(id));
  const isTorn = told.length === 0 && voyage.some((call) => timeOf(call) > toMs);
  if (horizonMs !== undefined && isTorn) return [];
  const lastToldMs = Math.max(...told.map(timeOf));
  const untilMs = horizonMs === undefined ? toMs : Math.max(toMs, Math.min(horizonMs, lastToldMs));
  return voyage.filter((call) => !ids.has(call.id) && timeOf(call) <= untilMs).map(({ id }) => id);
}

function batchesOf(voyages: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const batches: string[][] = [[]];
  for (const calls of voyages) {
    if (batches.at(-1)!.length >= BATCH_MAX) batches.push([]);
    batches.at(-1)!.push(...calls);
  }
  return batches.filter((batch) => batch.length > 0);
}

async function markBatch(
  tx: Connection,
  ports: SchedulePorts,
  settings: ScheduleSettings,
  telling: Provenance,
  carrier: string,
  ids: readonly string[],
): Promise<{ readonly missing: number; readonly events: number }> {
  const [directory] = ports.cells;
  await lockCarriers(tx, directory, [carrier]);
  const found = await lockMissingCalls(tx, directory, ids, REPLACED_MS_MAX);
  const known = createWorkingSet(found);
  const replaced = new Set(found.filter(({ isReplaced }) => isReplaced).map(({ id }) => id));
  let missing = 0;
  for (const { id } of found) {
    const before = known.get(id);
    const after = nextRecordWhenMissing(before, telling, settings.reliability.noticeMs, settings.feeds);
    if (isMade(before) || after === before) continue;
    missing += 1;
    known.put(replaced.has(id) ? withoutEvent(after, telling.atMs) : after);
  }
  const drafts = await draftEvents(tx, ports, settings, known, telling.atMs);
  await known.save(tx, directory, settings.cutOffHours, telling.atMs);
  await broadcast(tx, ports, drafts, telling.atMs);
  await ports.onCallsChanged?.(tx, known.changes(), telling.atMs);
  return { missing, events: drafts.length };
}

/** Nobody is told of a call that is made all the same. */
function withoutEvent(record: CallRecord, atMs: number): CallRecord {
  if (record.goneMs === null || record.told.cancelled !== null) return record;
  return { ...record, told: { ...record.told, cancelled: { kind: "silent", sinceMs: atMs } } };
}
