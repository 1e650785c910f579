/** Reads a call's timestamps: its times of arrival and departure, and why they changed. */
import { type JsonObject, isObject } from "../../../model/json.ts";
import { BELIEVED_AHEAD_MS_MAX } from "../../../freight/places/local-time.ts";
import { DCSA_SPELLING } from "../../../freight/dcsa/spelling.ts";
import type { CallStatement, CallTimes } from "../calls/call-statement.ts";
import { readCallTime } from "./call-parts.ts";
import { quoted, type Part, type ReadContext } from "./read-context.ts";
import { nameIn, read, readText } from "./spelling.ts";

export const NO_TIMES: CallTimes = { planned: null, estimated: null, actual: null };

type Timestamps = Pick<CallStatement, "arrival" | "departure" | "delayReason" | "remark"> & {
  /** The call lists some, and none of them can be read. */
  readonly isUnread: boolean;
};

type Move = "arrival" | "departure";
type Classifier = "planned" | "estimated" | "actual";
type Writable<T> = { -readonly [name in keyof T]: T[name] };
type Timestamp = {
  readonly move: Move;
  readonly classifier: Classifier;
  readonly at: CallTimes["planned"];
  /** At the pilot boarding place; counts only without a time at the berth. */
  readonly isPilotage: boolean;
};

const MOVES: Readonly<Record<string, Move>> = { ARRI: "arrival", DEPA: "departure" };

/** A call has six; there may be others for pilotage, and corrections. */
const TIMESTAMPS_MAX = 50;
const REASONS_MAX = 10;

/** Of several of one kind, the last one at the berth counts. An actual time that lies ahead is an estimate. */
export function readTimestamps({ raw, path }: Part, port: string, reading: ReadContext): Timestamps {
  const list = read(raw, "timestamps");
  const place = `${path}.timestamps`;
  if (list !== undefined && !Array.isArray(list)) reading.note(place, "is no list");
  const listed: readonly unknown[] = Array.isArray(list) ? list.slice(0, TIMESTAMPS_MAX) : [];
  const times: Record<Move, Writable<CallTimes>> = { arrival: { ...NO_TIMES }, departure: { ...NO_TIMES } };
  const atBerth = new Set<string>();
  const reasons = new Set<string>();
  let remark: string | null = null;
  let isUnread = listed.length > 0 || (list !== undefined && !Array.isArray(list));
  for (const [index, one] of listed.entries()) {
    const timestamp = isObject(one) ? readTimestamp(one, port) : "is no object";
    if (typeof timestamp === "string") {
      reading.note(`${place}[${index}]`, timestamp);
      continue;
    }
    isUnread = false;
    const { move, at, isPilotage } = timestamp;
    const isAhead = timestamp.classifier === "actual" && at!.ms > reading.nowMs + BELIEVED_AHEAD_MS_MAX;
    if (isAhead) reading.note(`${place}[${index}]`, "is ACT and lies ahead: it is an estimate until then");
    const classifier = isAhead ? "claimed" : timestamp.classifier;
    const slot = `${move} ${classifier}`;
    if (!isPilotage || !atBerth.has(slot)) times[move][classifier] = at;
    if (!isPilotage) atBerth.add(slot);
    for (const reason of delayReasons(one as JsonObject)) reasons.add(reason);
    remark = readText(one as JsonObject, "changeRemark") ?? remark;
  }
  for (const one of [times.arrival, times.departure]) {
    if (one.actual !== null) delete one.claimed;
    else if (one.claimed !== undefined) one.estimated ??= one.claimed;
  }
  const delayReason = [...reasons].slice(0, REASONS_MAX).join(",");
  return { ...times, delayReason: delayReason === "" ? null : delayReason, remark, isUnread };
}

/** A text: why it cannot be read. */
function readTimestamp(raw: JsonObject, port: string): Timestamp | string {
  const type = readText(raw, "eventTypeCode");
  const move = type === null ? undefined : MOVES[type.toUpperCase()];
  if (move === undefined) return `${nameIn(raw, "eventTypeCode")} is neither ARRI nor DEPA`;
  const written = readText(raw, "eventClassifierCode")?.toUpperCase() ?? "";
  const classifier = Object.hasOwn(DCSA_SPELLING.classifiers, written)
    ? DCSA_SPELLING.classifiers[written]
    : undefined;
  if (classifier === undefined) return "eventClassifierCode is none of PLN, EST and ACT";
  const time = readText(raw, "eventDateTime");
  if (time === null) return "lacks eventDateTime";
  const at = readCallTime(time, port);
  if (at === null) return `eventDateTime ${quoted(time)} is no date-time`;
  const isPilotage = readText(raw, "facilityTypeCode")?.toUpperCase() === "PBPL";
  return { move, classifier, at, isPilotage };
}

/** OVS 3.0: `delayReasonCodes` replaces the older `delayReasonCode`. */
function delayReasons(raw: JsonObject): readonly string[] {
  const several = read(raw, "delayReasonCodes");
  const one = readText(raw, "delayReasonCode");
  const written = Array.isArray(several) ? several.slice(0, REASONS_MAX) : [one];
  return written.flatMap((code: unknown) =>
    typeof code === "string" && /^[A-Za-z0-9]{1,10}$/.test(code.trim()) ? [code.trim().toUpperCase()] : [],
  );
}
