/**
 * `cutoff_approaching`: a cut-off is as many hours away as the operator has set. What lies nearer already when a
 * cut-off is first seen is not told; of a cut-off that is moved, what the move brings within reach is told at once,
 * and what still lies ahead at its time. Of several that have come about since the last look the nearest is told.
 */
import { utcText } from "../../../model/instant.ts";
import { expectedTime, type CallRecord, type CallRaised } from "../calls/call-record.ts";
import type { CutOff } from "../calls/call-statement.ts";
import { cancellationOf } from "../calls/cancellation.ts";
import { companionTimesAt } from "../calls/port-time.ts";
import { hoursOf, portFields, voyageFields, type CallDrafts, type EventDraft } from "./event-draft.ts";
import { HOUR_MS } from "../../../runtime/durations.ts";

/** cutOffDateTimeCode of CS 1.0. */
const NAMES: { readonly [code: string]: string } = {
  DCO: "Documentation cut-off",
  VCO: "VGM cut-off",
  FCO: "FCL delivery cut-off",
  LCO: "LCL delivery cut-off",
  PCO: "Port cut-off",
  RCO: "Reefer cut-off",
  DGC: "Dangerous goods cut-off",
  OBC: "Out-of-gauge and break-bulk cut-off",
  TCO: "Transshipment cut-off",
  STA: "Standard booking acceptance",
  SPA: "Special booking acceptance",
  CUA: "Customs acceptance",
  AFC: "Advance filing cut-off",
};

/** What a code means; null: none of the standard's deadlines. */
export function cutOffName(code: string): string | null {
  return NAMES[code] ?? null;
}

/** From when something may be done: no deadline. */
const EARLIEST_TIME_CODES: readonly string[] = ["ECP", "EFC"];

export function cutOffEvents(
  record: CallRecord,
  told: CallRaised,
  hoursBefore: readonly number[],
  nowMs: number,
): CallDrafts {
  if (isMoot(record)) return { drafts: [], raised: told };
  const looks = deadlines(record).map((cutOff) => {
    const before = told.cutOffs[cutOff.code] ?? null;
    const reached = reachedHours(cutOff, hoursBefore, nowMs);
    const isNews = before !== null && cutOff.at.ms > nowMs && isNearer(reached, before.reachedHours);
    return { cutOff, reached, isNews };
  });
  const drafts = looks.flatMap(({ cutOff, reached, isNews }) =>
    isNews && reached !== null ? [cutOffDraft(record, cutOff, reached, nowMs)] : [],
  );
  const seen = looks.map(({ cutOff, reached }) => [cutOff.code, { ms: cutOff.at.ms, reachedHours: reached }]);
  return { drafts, raised: { ...told, cutOffs: { ...told.cutOffs, ...Object.fromEntries(seen) } } };
}

/** When the next of a call's cut-offs comes near; null: none will. */
export function cutOffDueMs(
  record: CallRecord,
  hoursBefore: readonly number[],
  nowMs: number,
): number | null {
  if (isMoot(record)) return null;
  const marks = deadlines(record).flatMap(({ at }) => hoursBefore.map((hours) => at.ms - hours * HOUR_MS));
  const ahead = marks.filter((ms) => ms > nowMs);
  return ahead.length === 0 ? null : Math.min(...ahead);
}

/** Nobody can catch a vessel any more that has left, or one that does not come. */
function isMoot(record: CallRecord): boolean {
  return record.departure.actual !== null || cancellationOf(record) !== null;
}

function deadlines({ cutOffs }: CallRecord): readonly CutOff[] {
  return cutOffs.filter(({ code }) => !EARLIEST_TIME_CODES.includes(code));
}

/** The least of the hours before it that have come; null: it is further away than all. */
function reachedHours({ at }: CutOff, hoursBefore: readonly number[], nowMs: number): number | null {
  const come = hoursBefore.filter((hours) => at.ms - hours * HOUR_MS <= nowMs);
  return come.length === 0 ? null : Math.min(...come);
}

function isNearer(reached: number | null, before: number | null): boolean {
  return reached !== null && (before === null || reached < before);
}

function cutOffDraft(
  record: CallRecord,
  { code, at }: CutOff,
  hoursBefore: number,
  nowMs: number,
): EventDraft {
  const departure = expectedTime(record.departure);
  const data = {
    ...voyageFields(record),
    ...portFields(record),
    cut_off_code: code,
    cut_off_name: cutOffName(code),
    cut_off: utcText(at.ms),
    hours_before: hoursBefore,
    hours_left: hoursOf(at.ms - nowMs),
    departure: departure === null ? null : utcText(departure.ms),
    ...companionTimesAt(record.port, at),
  };
  return {
    type: "cutoff_approaching",
    data,
    key: `cutoff_approaching:${record.id}:${code}:${at.ms}:${hoursBefore}`,
  };
}
