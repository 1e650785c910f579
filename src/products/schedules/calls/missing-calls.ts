/**
 * The calls that a complete fetch leaves out: its feed listed them before, they are still to come, and they lie within
 * the fetch's scope. They are uncertain, then gone (absence.ts). Works in batches of whole voyages, so that a voyage
 * that is gone raises one event.
 */
import { DAY_MS } from "../../../runtime/durations.ts";
import type { Connection } from "../../../store/database.ts";
import type { SchedulePorts, ScheduleSettings } from "../events/broadcasting.ts";
import { saveWithEvents } from "../events/draft-events.ts";
import { listScopedCalls, lockMissingCalls, type ScopedCall } from "../store/port-calls.ts";
import { scheduleCarrierLock } from "../store/port-calls.sql.ts";
import { absenceOf, newlyGone } from "./absence.ts";
import { isMade, type CallRecord } from "./call-record.ts";
import type { CompleteScope } from "./call-statement.ts";
import { batchesOf, createWorkingSet, loadVoyages, type CallWorkingSet } from "./call-working-set.ts";
import { nextRecordWhenDue, nextRecordWhenMissing, type Provenance } from "./next-call-record.ts";
import { voyagesOf } from "./voyages.ts";

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
    ports.wake();
    missing += result.missing;
    events += result.events;
  }
  return { missing, events };
}

type Voyage = readonly ScopedCall[];

/** The scope's calls to come, by voyage; each call without a voyage number by itself. */
async function voyagesWithin(
  { database, cell }: SchedulePorts,
  { atMs }: Provenance,
  scope: CompleteScope,
): Promise<readonly Voyage[]> {
  const calls: ScopedCall[] = [];
  const { fromMs } = scope.asked ?? scope;
  let hasMore = true;
  while (hasMore) {
    const afterId = calls.at(-1)?.id ?? null;
    const wanted = { ...scope, fromMs, atMs };
    const page: Voyage = await listScopedCalls(database, cell, wanted, afterId, PAGE_MAX);
    calls.push(...page);
    hasMore = page.length === PAGE_MAX;
  }
  const keyOf = ({ id, service, voyage }: ScopedCall) =>
    JSON.stringify(voyage === "" ? [id] : [voyage, service]);
  return [...Map.groupBy(calls, keyOf).values()];
}

export type LeftOut = {
  readonly id: string;
  /** The fetch certainly covers the call. */
  readonly isSure: boolean;
};

/**
 * The voyage's calls that the fetch should list and does not. If it lists none of the voyage, though it was asked for
 * some, those beyond the requested time are left out with it: a feed may list whole voyages.
 */
export function missingFrom(
  voyage: Voyage,
  { fromMs, toMs, horizonMs, asked, port }: CompleteScope,
  ids: ReadonlySet<string>,
): readonly LeftOut[] {
  const timeOf = ({ callsAt }: ScopedCall) => callsAt.getTime();
  const lastListedMs = Math.max(...voyage.filter(({ id }) => ids.has(id)).map(timeOf));
  const untilMs = horizonMs === undefined ? toMs : Math.max(toMs, Math.min(horizonMs, lastListedMs));
  const isSure = (call: ScopedCall) =>
    timeOf(call) >= fromMs && (call.arrivalAt?.getTime() ?? fromMs) >= fromMs && timeOf(call) <= untilMs;
  const askedUntilMs = asked?.untilMs ?? toMs;
  const isAsked = (call: ScopedCall) => timeOf(call) <= askedUntilMs;
  const isListed = Number.isFinite(lastListedMs);
  const isWhole = asked !== undefined && port === null && !isListed && voyage.some(isAsked);
  return voyage
    .filter((call) => !ids.has(call.id) && (isWhole || isAsked(call)))
    .map((call) => ({ id: call.id, isSure: isSure(call) }));
}

async function markBatch(
  tx: Connection,
  ports: SchedulePorts,
  settings: ScheduleSettings,
  source: Provenance,
  carrier: string,
  leftOut: readonly LeftOut[],
): Promise<MarkResult> {
  const ids = leftOut.map(({ id }) => id);
  const sure = new Set(leftOut.flatMap(({ id, isSure }) => (isSure ? [id] : [])));
  await scheduleCarrierLock(tx, ports.cell, [carrier]);
  const found = await lockMissingCalls(tx, ports.cell, ids, REPLACED_MS_MAX);
  const known = createWorkingSet(found);
  let missing = 0;
  for (const { id, isReplaced } of found) {
    const before = known.get(id);
    const { noticeMs } = settings.reliability;
    const after = nextRecordWhenMissing(before, source, sure.has(id), noticeMs, settings.feeds);
    if (isMade(before) || (after === before && !isReplaced)) continue;
    if (after !== before) missing += 1;
    known.put(isReplaced ? whenReplaced(before, after, source.atMs) : after);
  }
  await settleVoyages(tx, ports, known, ids, source.atMs);
  const { events } = await saveWithEvents(tx, ports, settings, known, source.atMs);
  return { missing, events };
}

/** Marks the calls gone that these calls' voyages now lose. */
async function settleVoyages(
  tx: Connection,
  { cell }: SchedulePorts,
  known: CallWorkingSet,
  ids: readonly string[],
  atMs: number,
): Promise<void> {
  const calls = ids.map((id) => known.get(id));
  await loadVoyages(tx, cell, known, calls);
  const gone = voyagesOf(calls, known.all()).flatMap((voyage) => newlyGone(voyage, atMs));
  for (const call of new Set(gone)) known.put({ ...call, goneMs: atMs, reinstatedMs: null });
}

/**
 * What time alone changes of a carrier's calls and their voyages: uncertain calls whose time comes near are gone, and
 * claimed times count. Holds the carrier, as every change of a voyage does.
 */
export async function settleDueCalls(
  ports: SchedulePorts,
  settings: ScheduleSettings,
  carrier: string,
  ids: readonly string[],
  atMs: number,
): Promise<number> {
  return ports.database.transaction(async (tx) => {
    await scheduleCarrierLock(tx, ports.cell, [carrier]);
    const found = await lockMissingCalls(tx, ports.cell, ids, REPLACED_MS_MAX);
    const known = createWorkingSet(found);
    for (const { id, isReplaced } of found) {
      const before = known.get(id);
      const after = nextRecordWhenDue(before, settings.reliability.noticeMs, atMs);
      known.put(isReplaced ? whenReplaced(before, after, atMs) : after);
    }
    await settleVoyages(
      tx,
      ports,
      known,
      found.map(({ id }) => id),
      atMs,
    );
    return (await saveWithEvents(tx, ports, settings, known, atMs)).events;
  });
}

/** A call that another one replaces is gone at once, without an event. */
export function whenReplaced(before: CallRecord, after: CallRecord, atMs: number): CallRecord {
  if (before.goneMs !== null || absenceOf(after.reports) === null) return after;
  const cancelled = after.raised.cancelled ?? ({ kind: "silent", sinceMs: atMs } as const);
  return { ...after, goneMs: atMs, reinstatedMs: null, raised: { ...after.raised, cancelled } };
}
