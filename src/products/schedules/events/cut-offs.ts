/**
 * `cutoff_approaching` (spec 6.2: cutoff_approaching): a cut-off is as many hours away as the operator has set. When a
 * cut-off is first seen, hours that have passed raise nothing. When it moves, the hours that the move passes raise an
 * event at once, the others at their time; so does any move to an earlier time once the first hour has passed. Of several
 * hours that pass together, the nearest raises one.
 */
import { utcText } from "../../../model/instant.ts";
import { HOUR_MS } from "../../../runtime/durations.ts";
import { expectedTime, type CallRecord, type CallRaised } from "../calls/call-record.ts";
import type { CutOff } from "../calls/call-statement.ts";
import { companionTimesAt } from "../calls/port-time.ts";
import { hoursOf, portFields, voyageFields, type CallDrafts, type EventDraft } from "./event-draft.ts";
import { isFinal } from "./sailing-slipped.ts";

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

/** The standard's name of a deadline; null: the standard has none of that code. */
export function cutOffName(code: string): string | null {
  return NAMES[code] ?? null;
}

/** The earliest empty pick-up and full-container delivery: no deadlines. */
const EARLIEST_TIME_CODES: readonly string[] = ["ECP", "EFC"];

export function cutOffEvents(
  record: CallRecord,
  raised: CallRaised,
  hoursBefore: readonly number[],
  nowMs: number,
): CallDrafts {
  if (isFinal(record)) return { drafts: [], raised };
  const drafts: EventDraft[] = [];
  const cutOffs: { [code: string]: CallRaised["cutOffs"][string] } = { ...raised.cutOffs };
  for (const cutOff of deadlines(record)) {
    const { code, at } = cutOff;
    const before = raised.cutOffs[code] ?? null;
    const reached = reachedHours(at.ms, hoursBefore, nowMs);
    const isNearer = (hours: number): boolean => hours < (before?.reachedHours ?? Number.POSITIVE_INFINITY);
    if (before !== null && at.ms > nowMs && reached !== null && (isNearer(reached) || at.ms < before.ms))
      drafts.push(cutOffDraft(record, cutOff, reached, nowMs));
    cutOffs[code] = { ms: at.ms, reachedHours: reached };
  }
  return { drafts, raised: { ...raised, cutOffs } };
}

/** When the next warning is due; null: none is. */
export function cutOffDueMs(
  record: CallRecord,
  hoursBefore: readonly number[],
  nowMs: number,
): number | null {
  if (isFinal(record)) return null;
  const times = deadlines(record).flatMap(({ at }) => hoursBefore.map((hours) => at.ms - hours * HOUR_MS));
  const ahead = times.filter((ms) => ms > nowMs);
  return ahead.length === 0 ? null : Math.min(...ahead);
}

function deadlines({ cutOffs }: CallRecord): readonly CutOff[] {
  return cutOffs.filter(({ code }) => !EARLIEST_TIME_CODES.includes(code));
}

/** The least of the warning hours that have passed; null: none has. */
function reachedHours(cutOffMs: number, hoursBefore: readonly number[], nowMs: number): number | null {
  const passed = hoursBefore.filter((hours) => cutOffMs - hours * HOUR_MS <= nowMs);
  return passed.length === 0 ? null : Math.min(...passed);
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
