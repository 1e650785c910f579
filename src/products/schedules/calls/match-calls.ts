/**
 * Which known call a statement is about. A call is known by carrier, service, voyage and port; times, terminals and
 * vessels change, and references are not the same for ever. Where a voyage calls at a port more than once, calls and
 * statements are told apart by their references, as far as those are plausible, and by their order in time.
 */
import type { CallRecord } from "./call-record.ts";
import type { CallStatement } from "./call-statement.ts";
import { timeDistanceMs, callTimeMs } from "./time-distance.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** A call that has moved by more is another one: carriers give their voyage numbers again after a while. */
const MOVED_MS_MAX = 60 * DAY_MS;
/** Without a voyage number, calls are told apart by time alone. */
const UNNUMBERED_MS_MAX = 2 * DAY_MS;
/** The number on which a vessel leaves means the one on which it came only about the same time. */
const ACROSS_MS_MAX = 3 * DAY_MS;
/** A reference is not believed when another call of the voyage there is nearer by more. */
const REFERENCE_TRUST_MS = 3 * DAY_MS;

export type CallMatch = {
  readonly statement: CallStatement;
  /** Null: a call that was not known. */
  readonly record: CallRecord | null;
};

/** For each of the stated calls of one group its record, of those known of the carrier at the port. */
export function matchCalls(
  stated: readonly CallStatement[],
  known: readonly CallRecord[],
): readonly CallMatch[] {
  const first = stated[0];
  if (first === undefined) return [];
  const calls = known.filter((record) => isOfGroup(record, first));
  const byReference = matchReferences(stated, calls);
  const taken = new Set(byReference.values());
  const rest = stated.filter((statement) => !byReference.has(statement));
  const inOrder = matchInOrder(
    rest,
    calls.filter((record) => !taken.has(record)),
  );
  return stated.map((statement) => ({
    statement,
    record: byReference.get(statement) ?? inOrder.get(statement) ?? null,
  }));
}

function isOfGroup(record: CallRecord, said: CallStatement): boolean {
  return sameService(record.service, said.service) && sameVoyage(record, said);
}

export function sameService(one: CallRecord["service"], other: CallRecord["service"]): boolean {
  if (one.code !== null && other.code !== null) return one.code === other.code;
  if (one.name !== null && other.name !== null) return one.name === other.name;
  return true;
}

function sameVoyage(record: CallRecord, said: CallStatement): boolean {
  const [known, now] = [record.voyage, said.voyage];
  if (now.export === null && now.import === null) {
    return known.export === null && known.import === null && sameVessel(record, said);
  }
  if (known.export !== null && now.export !== null) return known.export === now.export;
  if (known.import !== null && now.import !== null) return known.import === now.import;
  const isAcross = (known.export ?? known.import) === (now.export ?? now.import);
  return isAcross && (timeDistanceMs(record, said) ?? 0) <= ACROSS_MS_MAX;
}

function sameVessel({ vessel }: CallRecord, said: CallStatement): boolean {
  if (vessel.imo !== null && said.vessel.imo !== null) return vessel.imo === said.vessel.imo;
  return vessel.name === said.vessel.name;
}

type Matching = ReadonlyMap<CallStatement, CallRecord>;

function matchReferences(stated: readonly CallStatement[], calls: readonly CallRecord[]): Matching {
  const found = new Map<CallStatement, CallRecord>();
  for (const statement of stated) {
    if (statement.reference === null) continue;
    const named = calls.filter(({ reference }) => reference === statement.reference);
    const isAlone = stated.filter(({ reference }) => reference === statement.reference).length === 1;
    const [record] = named;
    if (record === undefined || named.length > 1 || !isAlone) continue;
    const apart = distanceMs(record, statement);
    const nearest = Math.min(...calls.map((call) => distanceMs(call, statement)));
    if (Number.isFinite(apart) && apart - nearest <= REFERENCE_TRUST_MS) found.set(statement, record);
  }
  return found;
}

/** As many as can be, in the order of time on both sides, and of all such pairings the nearest. */
function matchInOrder(stated: readonly CallStatement[], calls: readonly CallRecord[]): Matching {
  const left = stated.toSorted(byTime);
  const right = calls.toSorted(byTime);
  // best[i][j]: the least cost of the first i statements and the first j calls; being left out costs most.
  const best = Array.from({ length: left.length + 1 }, (_, i) =>
    Array.from({ length: right.length + 1 }, (__, j) => (i + j) * UNMATCHED_COST),
  );
  for (const [i, statement] of left.entries()) {
    for (const [j, call] of right.entries()) {
      const paired = best[i]![j]! + distanceMs(call, statement);
      best[i + 1]![j + 1] = Math.min(
        paired,
        best[i]![j + 1]! + UNMATCHED_COST,
        best[i + 1]![j]! + UNMATCHED_COST,
      );
    }
  }
  return pairsOf(best, left, right);
}

/** More than the distances of all pairs of a voyage together. */
const UNMATCHED_COST = 1_000 * MOVED_MS_MAX;

function pairsOf(
  best: readonly (readonly number[])[],
  left: readonly CallStatement[],
  right: readonly CallRecord[],
): Matching {
  const pairs = new Map<CallStatement, CallRecord>();
  let [i, j] = [left.length, right.length];
  while (i > 0 && j > 0) {
    const [statement, call] = [left[i - 1]!, right[j - 1]!];
    const cost = best[i]![j]!;
    if (cost === best[i - 1]![j - 1]! + distanceMs(call, statement)) {
      pairs.set(statement, call);
      i -= 1;
      j -= 1;
    } else if (cost === best[i - 1]![j]! + UNMATCHED_COST) i -= 1;
    else j -= 1;
  }
  return pairs;
}

/** Infinite: they cannot be one call. */
function distanceMs(record: CallRecord, said: CallStatement): number {
  const apart = timeDistanceMs(record, said) ?? 0;
  const isNumbered = said.voyage.export !== null || said.voyage.import !== null;
  return apart <= (isNumbered ? MOVED_MS_MAX : UNNUMBERED_MS_MAX) ? apart : Number.POSITIVE_INFINITY;
}

function byTime(one: CallStatement | CallRecord, other: CallStatement | CallRecord): number {
  const [a, b] = [callTimeMs(one), callTimeMs(other)];
  return a === b ? 0 : a < b ? -1 : 1;
}
