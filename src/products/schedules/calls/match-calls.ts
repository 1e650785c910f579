/**
 * Which known call a statement is about: same carrier, service, voyage and port. Times, terminals, vessels and
 * references may change. Where a voyage calls at a port more than once, plausible references and the order in time
 * tell the calls apart.
 */
import { DAY_MS } from "../../../runtime/durations.ts";
import type { CallRecord } from "./call-record.ts";
import type { CallStatement } from "./call-statement.ts";
import { timeDistanceMs, callTimeMs } from "./time-distance.ts";

/** Carriers use voyage numbers again after a while: a call that moves further is another one. */
const MOVED_MS_MAX = 60 * DAY_MS;
/** Without a voyage number, time alone tells calls apart. */
const UNNUMBERED_MS_MAX = 2 * DAY_MS;
/** An export number of one side matches an import number of the other only about the same time. */
const ACROSS_MS_MAX = 3 * DAY_MS;
/** A reference does not count if another call of the voyage at the port is nearer by more. */
const REFERENCE_TRUST_MS = 3 * DAY_MS;

export type CallMatch = {
  readonly statement: CallStatement;
  /** Null: a new call. */
  readonly record: CallRecord | null;
};

/** Matches the statements of one group with the carrier's known calls at the port. */
export function matchCalls(
  stated: readonly CallStatement[],
  known: readonly CallRecord[],
): readonly CallMatch[] {
  const first = stated[0];
  if (first === undefined) return [];
  const calls = known.filter(
    (record) => sameService(record.service, first.service) && sameVoyage(record, first),
  );
  const byReference = matchReferences(stated, calls);
  const matched = new Set(byReference.values());
  const inOrder = matchInOrder(
    stated.filter((statement) => !byReference.has(statement)),
    calls.filter((record) => !matched.has(record)),
  );
  return stated.map((statement) => ({
    statement,
    record: byReference.get(statement) ?? inOrder.get(statement) ?? null,
  }));
}

export function sameService(one: CallRecord["service"], other: CallRecord["service"]): boolean {
  if (one.code !== null && other.code !== null) return one.code === other.code;
  if (one.name !== null && other.name !== null) return one.name === other.name;
  return true;
}

function sameVoyage(record: CallRecord, statement: CallStatement): boolean {
  const [known, stated] = [record.voyage, statement.voyage];
  if (stated.export === null && stated.import === null) {
    return known.export === null && known.import === null && sameVessel(record.vessel, statement.vessel);
  }
  if (known.export !== null && stated.export !== null) return known.export === stated.export;
  if (known.import !== null && stated.import !== null) return known.import === stated.import;
  const isAcross = (known.export ?? known.import) === (stated.export ?? stated.import);
  return isAcross && (timeDistanceMs(record, statement) ?? 0) <= ACROSS_MS_MAX;
}

function sameVessel(one: CallRecord["vessel"], other: CallRecord["vessel"]): boolean {
  if (one.imo !== null && other.imo !== null) return one.imo === other.imo;
  return one.name === other.name;
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

/** The most pairs that keep the order of time on both sides, and of those pairings the nearest. */
function matchInOrder(stated: readonly CallStatement[], calls: readonly CallRecord[]): Matching {
  const left = stated.toSorted(byTime);
  const right = calls.toSorted(byTime);
  // best[i][j]: the least cost of the first i statements and the first j calls.
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
function distanceMs(record: CallRecord, statement: CallStatement): number {
  const apart = timeDistanceMs(record, statement) ?? 0;
  const isNumbered = statement.voyage.export !== null || statement.voyage.import !== null;
  return apart <= (isNumbered ? MOVED_MS_MAX : UNNUMBERED_MS_MAX) ? apart : Number.POSITIVE_INFINITY;
}

function byTime(one: CallStatement | CallRecord, other: CallStatement | CallRecord): number {
  const [a, b] = [callTimeMs(one), callTimeMs(other)];
  return a === b ? 0 : a < b ? -1 : 1;
}
