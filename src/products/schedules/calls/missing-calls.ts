/**
 * The calls that a complete fetch leaves out: its feed listed them before, they are still to come, and they lie within
 * the fetch's scope. Works in batches of whole voyages, so that a voyage that is gone raises one event.
 *
 * With a horizon, a call between the end of the scope and the horizon is gone only if the fetch lists a later call of
 * its voyage; and a voyage of which the fetch lists no call is gone only once all of it lies within the scope.
 */
import { DAY_MS } from "../../../runtime/durations.ts";
import type { Connection } from "../../../store/database.ts";
import type { SchedulePorts, ScheduleSettings } from "../events/broadcasting.ts";
import { saveWithEvents } from "../events/draft-events.ts";
import { listScopedCalls, lockCarriers, lockMissingCalls, type ScopedCall } from "../store/port-calls.ts";
import { isMade, type CallRecord } from "./call-record.ts";
import type { CompleteScope } from "./call-statement.ts";
import { batchesOf, createWorkingSet } from "./call-working-set.ts";
import { nextRecordWhenMissing, type Provenance } from "./next-call-record.ts";

/** Calls whose keys one query reads. */
const PAGE_MAX = 5_000;
/** The same vessel at the same port within this time is the same call under another number. */
const REPLACED_MS_MAX = 3 * DAY_MS;

type MarkResult = { readonly missing: number; readonly events: number };

/** `ids`: the calls that the fetch lists. */
export async function markMissing(
  ports: SchedulePorts,
  settings: ScheduleSettings,
  source: Provenance,
  scope: CompleteScope,
  ids: ReadonlySet<string>,
): Promise<MarkResult> {
  let [missing, events] = [0, 0];
  const voyages = await voyagesWithin(ports, source, scope);
  for (const batch of batchesOf(voyages.map((voyage) => missingFrom(voyage, scope, ids)))) {
    const result = await ports.database.transaction((tx) =>
      markBatch(tx, ports, settings, source, scope.carrier, batch.flat()),
    );
    if (result.events > 0) ports.wake();
    missing += result.missing;
    events += result.events;
  }
  return { missing, events };
}

type Voyage = readonly ScopedCall[];

/** The scope's calls to come, by voyage; each call without a voyage number by itself. */
async function voyagesWithin(
  { database, cells: [directory] }: SchedulePorts,
  { atMs }: Provenance,
  scope: CompleteScope,
): Promise<readonly Voyage[]> {
  const calls: ScopedCall[] = [];
  let hasMore = true;
  while (hasMore) {
    const afterId = calls.at(-1)?.id ?? null;
    const page: Voyage = await listScopedCalls(database, directory, { ...scope, atMs }, afterId, PAGE_MAX);
    calls.push(...page);
    hasMore = page.length === PAGE_MAX;
  }
  const keyOf = ({ id, service, voyage }: ScopedCall) =>
    JSON.stringify(voyage === "" ? [id] : [voyage, service]);
  return [...Map.groupBy(calls, keyOf).values()];
}

/** The ids of a voyage's calls that the fetch should list and does not. */
export function missingFrom(
  voyage: Voyage,
  { toMs, horizonMs }: CompleteScope,
  ids: ReadonlySet<string>,
): readonly string[] {
  const timeOf = ({ callsAt }: ScopedCall) => callsAt.getTime();
  const listed = voyage.filter(({ id }) => ids.has(id));
  const isCut = listed.length === 0 && voyage.some((call) => timeOf(call) > toMs);
  if (horizonMs !== undefined && isCut) return [];
  const lastListedMs = Math.max(...listed.map(timeOf));
  const untilMs = horizonMs === undefined ? toMs : Math.max(toMs, Math.min(horizonMs, lastListedMs));
  return voyage.filter((call) => !ids.has(call.id) && timeOf(call) <= untilMs).map(({ id }) => id);
}

async function markBatch(
  tx: Connection,
  ports: SchedulePorts,
  settings: ScheduleSettings,
  source: Provenance,
  carrier: string,
  ids: readonly string[],
): Promise<MarkResult> {
  const [directory] = ports.cells;
  await lockCarriers(tx, directory, [carrier]);
  const found = await lockMissingCalls(tx, directory, ids, REPLACED_MS_MAX);
  const known = createWorkingSet(found);
  let missing = 0;
  for (const { id, isReplaced } of found) {
    const before = known.get(id);
    const after = nextRecordWhenMissing(before, source, settings.reliability.noticeMs, settings.feeds);
    if (isMade(before) || after === before) continue;
    missing += 1;
    known.put(isReplaced ? withoutEvent(after, source.atMs) : after);
  }
  const { events } = await saveWithEvents(tx, ports, settings, known, source.atMs);
  return { missing, events };
}

/** A call that another one replaces raises no event. */
function withoutEvent(record: CallRecord, atMs: number): CallRecord {
  if (record.goneMs === null || record.raised.cancelled !== null) return record;
  return { ...record, raised: { ...record.raised, cancelled: { kind: "silent", sinceMs: atMs } } };
}
