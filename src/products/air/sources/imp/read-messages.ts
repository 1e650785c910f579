/**
 * Reads Cargo-IMP status messages (FSU, FSA) of versions 12 to 15 (spec 1: air_tracking). docs/cargo-imp.md has the
 * grammar. No text makes it throw.
 */
import { runToEnd, type SlicedWork } from "../../../../runtime/time-slices.ts";
import type { AirEvent, WaybillStatement } from "../../timeline/air-event.ts";
import { decodeText } from "../carried/decode.ts";
import { messageId, type MessageId } from "../message-id.ts";
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
      /** Cargo-IMP's FSU and FSA, else of Cargo-XML. */
      readonly type: "FSU" | "FSA" | "XFSU" | "XFWB" | "XFHL";
      /** Null if the message gives none. */
      readonly version: number | null;
      readonly statement: WaybillStatement;
      readonly id: MessageId;
      /** Of the waybill, not of a status that was read: `OSI/NO RECORD FOUND`. */
      readonly remarks: AirEvent["remarks"];
      readonly customs: AirEvent["customs"];
      readonly ulds: AirEvent["ulds"];
      readonly problems: readonly Problem[];
    }
  | {
      readonly kind: "refused";
      readonly problem: Problem;
      /** The text refused, as received. */
      readonly text: string;
    };

/** A message has 3,500 characters at most. */
export const TEXT_CHARS_MAX = 1_000_000;

/** Of one text. */
export const WAYBILLS_MAX = 1_000;

const VERSION_MIN = 12;
const VERSION_MAX = 15;

type TextContext = {
  readonly text: string;
  readonly positionOf: ReturnType<typeof positionsIn>;
  readonly receivedMs: number;
};

/** What a text without messages lacks. */
export const NO_MESSAGE =
  "no line names an FSU or FSA message, such as FSU/14, and no element is an XFSU's StatusMessage";

/**
 * One result for each waybill of each message; one `refused` for a text without messages.
 *
 * @param receivedMs - milliseconds of the Unix epoch, from which the years of days are inferred.
 */
export function* readMessagesSteps(
  received: string | Uint8Array,
  receivedMs: number,
): SlicedWork<readonly ReadMessage[]> {
  const text = typeof received === "string" ? received : decodeText(received);
  const messages = yield* messagesInSteps(text, receivedMs);
  if (messages.length > 0) return messages;
  return [refused({ text, positionOf: positionsIn(text), receivedMs }, 0, NO_MESSAGE, 0, text.length)];
}

/** The same, and nothing for a text without messages. */
export function* messagesInSteps(text: string, receivedMs: number): SlicedWork<readonly ReadMessage[]> {
  yield;
  const context = { text, positionOf: positionsIn(text), receivedMs };
  if (text.length > TEXT_CHARS_MAX) {
    return [refused(context, 0, `the text has more than ${TEXT_CHARS_MAX} characters`, 0, text.length)];
  }
  const bodies = yield* bodiesIn(text);
  const messages: ReadMessage[] = [];
  for (const body of bodies) {
    if (messages.length > WAYBILLS_MAX) break;
    messages.push(...(yield* readBody(context, body, WAYBILLS_MAX - messages.length)));
  }
  return messages;
}

/** At once, where it is known to be short. */
export function readMessages(received: string | Uint8Array, receivedMs: number): readonly ReadMessage[] {
  return runToEnd(readMessagesSteps(received, receivedMs));
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

/** Up to `waybillsMax` results, and a `refused` one if there are more. */
function* readBody(
  context: TextContext,
  body: MessageBody,
  waybillsMax: number,
): SlicedWork<readonly ReadMessage[]> {
  const { type, head, lines } = body;
  if (waybillsMax === 0) return [refusedRest(context, head)];
  const end = (lines.at(-1) ?? head).end;
  if (type !== "FSU" && type !== "FSA") {
    const message = `a message of type ${quoted(type)}, and only FSU and FSA are read`;
    return [refused(context, head.start, message, head.start, end)];
  }
  const [first] = lines;
  if (first === undefined || !looksLikeConsignment(first)) {
    const message = `a waybill such as 020-12345675FRAJFK/T10K250 is expected here, not ${quoted(first?.capitals ?? "")}`;
    return [refused(context, first?.start ?? head.end, message, head.start, end)];
  }
  const sections = sectionsIn(lines);
  const next = sections[waybillsMax];
  const messages: ReadMessage[] = [];
  for (const [number, section] of sections.slice(0, waybillsMax).entries()) {
    yield;
    const { version, envelope } = body;
    const heading: Heading = { type, version, isFirst: number === 0, head, envelope };
    messages.push(readSection(context, heading, section));
  }
  return next === undefined ? messages : [...messages, refusedRest(context, next.waybill)];
}

function refusedRest(context: TextContext, { start }: Line): ReadMessage {
  const message = `more than ${WAYBILLS_MAX} waybills in one text: the rest is not read`;
  return refused(context, start, message, start, context.text.length);
}

/** Each from one waybill to the next: an FSA may report several. */
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

/** Some gateways join the lines of a message: a known code of three letters begins a line. */
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
  readonly envelope: string | null;
};

function readSection(context: TextContext, heading: Heading, { waybill, lines }: Section): ReadMessage {
  const { type, version, isFirst, head, envelope } = heading;
  const problems: Problem[] = [];
  const report: Report = (line, index, message) => {
    if (problems.length >= PROBLEMS_MAX) return;
    problems.push({ ...context.positionOf(offsetIn(line, index)), message });
  };
  if (isFirst && (version === null || version < VERSION_MIN || version > VERSION_MAX)) {
    const versionText = version === null ? "no version" : `version ${version}`;
    report(head, 0, `${versionText}: the message is read as ${VERSION_MIN} to ${VERSION_MAX} are`);
  }
  const consignment = readConsignment(waybill, report);
  if ("message" in consignment) {
    const at = offsetIn(waybill, consignment.index);
    return refused(context, at, consignment.message, waybill.start, (lines.at(-1) ?? waybill).end);
  }
  const { statement, unattached } = readWaybill(consignment, lines, context.receivedMs, report);
  const words = [`${type}/${version}`, waybill.text, ...lines.map(({ text }) => text)].join("\n");
  return {
    kind: "message",
    type,
    version,
    statement,
    id: messageId(words, envelope),
    ...unattached,
    problems,
  };
}
