/**
 * Reads Cargo-IMP status messages (FSU, FSA) of versions 12 to 15: docs/cargo-imp.md has the grammar. Nothing
 * that can be sent makes it throw.
 */
import { isUtf8 } from "node:buffer";

import type { AirEvent, WaybillStatement } from "../../timeline/air-event.ts";
import { looksLikeConsignment, readConsignment } from "./consignment.ts";
import { bodiesIn, type MessageBody } from "./envelope.ts";
import { brokenAt, offsetIn, type Line } from "./lines.ts";
import { PROBLEMS_MAX, positionsIn, quoted, type Problem, type Report } from "./problem.ts";
import { isStatusCode } from "./status/status-line.ts";
import { isSupplementCode } from "./supplements.ts";
import { readWaybill } from "./waybill.ts";

export type ReadMessage =
  | {
      readonly kind: "message";
      readonly type: "FSU" | "FSA";
      /** Null where the message tells none. */
      readonly version: number | null;
      readonly statement: WaybillStatement;
      /** What is said of the waybill and not with a status that was read: `OSI/NO RECORD FOUND`. */
      readonly remarks: AirEvent["remarks"];
      readonly customs: AirEvent["customs"];
      readonly ulds: AirEvent["ulds"];
      /** What could not be read; everything else is in the statement. */
      readonly problems: readonly Problem[];
    }
  | {
      readonly kind: "refused";
      readonly problem: Problem;
      /** What is refused, as it came. */
      readonly text: string;
    };

/** A message has 3,500 characters at most. */
export const TEXT_CHARS_MAX = 1_000_000;

/** Of one text. */
const WAYBILLS_MAX = 1_000;

const VERSION_MIN = 12;
const VERSION_MAX = 15;

/** A text that is being read. */
type TextContext = {
  readonly text: string;
  readonly positionOf: ReturnType<typeof positionsIn>;
  readonly receivedMs: number;
};

/**
 * One for each waybill of each message; one that is refused where there is no message at all.
 *
 * @param receivedMs - when the text came, milliseconds of the Unix epoch: the days in it have no year.
 */
export function readMessages(received: string | Uint8Array, receivedMs: number): readonly ReadMessage[] {
  const text = typeof received === "string" ? received : decoded(received);
  const reading = { text, positionOf: positionsIn(text), receivedMs };
  if (text.length > TEXT_CHARS_MAX) {
    return [refused(reading, 0, `the text has more than ${TEXT_CHARS_MAX} characters`, 0, text.length)];
  }
  const bodies = bodiesIn(text);
  if (bodies.length === 0) {
    return [refused(reading, 0, "no line names an FSU or FSA message, such as FSU/14", 0, text.length)];
  }
  const messages: ReadMessage[] = [];
  for (const body of bodies) {
    if (messages.length > WAYBILLS_MAX) break;
    messages.push(...readBody(reading, body, WAYBILLS_MAX - messages.length));
  }
  return messages;
}

/** Telex has ASCII alone; what comes over HTTP may have either. */
function decoded(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString(isUtf8(bytes) ? "utf8" : "latin1");
}

function refused(
  { text, positionOf }: TextContext,
  at: number,
  message: string,
  from: number,
  to: number,
): ReadMessage {
  return { kind: "refused", problem: { ...positionOf(at), message }, text: text.slice(from, to) };
}

/** One more than there is room for, refused, where there is more to read. */
function readBody(reading: TextContext, body: MessageBody, room: number): readonly ReadMessage[] {
  const { type, head, lines } = body;
  if (room === 0) return [refusedRest(reading, head)];
  const end = (lines.at(-1) ?? head).end;
  if (type !== "FSU" && type !== "FSA") {
    const message = `a message of type ${quoted(type)}, and only FSU and FSA are read`;
    return [refused(reading, head.start, message, head.start, end)];
  }
  const [first] = lines;
  if (first === undefined || !looksLikeConsignment(first)) {
    const message = `a waybill such as 020-12345675FRAJFK/T10K250 is expected here, not ${quoted(first?.capitals ?? "")}`;
    return [refused(reading, first?.start ?? head.end, message, head.start, end)];
  }
  const sections = sectionsIn(lines);
  const next = sections[room];
  const messages = sections
    .slice(0, room)
    .map((section, number) =>
      readSection(reading, { type, version: body.version, isFirst: number === 0, head }, section),
    );
  return next === undefined ? messages : [...messages, refusedRest(reading, next.waybill)];
}

function refusedRest(reading: TextContext, { start }: Line): ReadMessage {
  const message = `more than ${WAYBILLS_MAX} waybills in one text: the rest is not read`;
  return refused(reading, start, message, start, reading.text.length);
}

/** Each from a waybill up to the next: an FSA may tell of several. */
function sectionsIn(lines: readonly Line[]): readonly Section[] {
  const sections: { waybill: Line; lines: Line[] }[] = [];
  for (const line of lines) {
    if (looksLikeConsignment(line)) {
      const [waybill = line, ...rest] = withLineBreaks(line);
      sections.push({ waybill, lines: rest });
    } else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

/** Some gateways make one line of a message: what has a code of three letters begins one. */
function withLineBreaks(line: Line): readonly Line[] {
  const starts: number[] = [];
  for (const { index, 1: code = "" } of line.capitals.matchAll(/ (?=([A-Z]{3})\/)/g)) {
    if (starts.length === LINE_BREAKS_MAX) break;
    if (isStatusCode(code) || isSupplementCode(code)) starts.push(index + 1);
  }
  return starts.length === 0 ? [line] : brokenAt(line, starts);
}

/** Of one waybill; a message has 3,500 characters at most. */
const LINE_BREAKS_MAX = 1_000;

type Section = { readonly waybill: Line; readonly lines: readonly Line[] };

type Heading = {
  readonly type: "FSU" | "FSA";
  readonly version: number | null;
  readonly isFirst: boolean;
  readonly head: Line;
};

function readSection(reading: TextContext, heading: Heading, { waybill, lines }: Section): ReadMessage {
  const { type, version, isFirst, head } = heading;
  const problems: Problem[] = [];
  const report: Report = (line, index, message) => {
    if (problems.length >= PROBLEMS_MAX) return;
    problems.push({ ...reading.positionOf(offsetIn(line, index)), message });
  };
  if (isFirst && (version === null || version < VERSION_MIN || version > VERSION_MAX)) {
    const told = version === null ? "no version" : `version ${version}`;
    report(head, 0, `${told}: the message is read as ${VERSION_MIN} to ${VERSION_MAX} are`);
  }
  const consignment = readConsignment(waybill, report);
  if ("message" in consignment) {
    const at = offsetIn(waybill, consignment.index);
    return refused(reading, at, consignment.message, waybill.start, (lines.at(-1) ?? waybill).end);
  }
  const { statement, unattached } = readWaybill(consignment, lines, reading.receivedMs, report);
  return { kind: "message", type, version, statement, ...unattached, problems };
}
