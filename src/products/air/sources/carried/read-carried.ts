/**
 * Messages of airlines in whatever carries them: Cargo-IMP with or without an envelope, Cargo-XML, a provider's JSON or
 * XML, an e-mail with its attachments, and each of these within another. No bytes make it throw.
 */
import type { Clock } from "../../../../runtime/clock.ts";
import { SECOND_MS } from "../../../../runtime/durations.ts";
import { createPause, runInSlicesWithin, type SlicedWork } from "../../../../runtime/time-slices.ts";
import {
  messagesInSteps,
  NO_MESSAGE,
  TEXT_CHARS_MAX,
  WAYBILLS_MAX,
  type ReadMessage,
} from "../imp/read-messages.ts";
import { mayHoldMessage, NOTHING_OPENED, within, type Carried, type Opened } from "./carried.ts";
import { decodeText } from "./decode.ts";
import { looksLikeHtml, textOfHtml } from "./html.ts";
import { openJson } from "./json.ts";
import { looksLikeMail, openMail } from "./mail.ts";
import { openXml, xmlWithin } from "./open-xml.ts";

export type CarriedMessage = {
  /** Where it stands: `fsu.txt (text/plain)`, `/data/0/text`; null: it is what was pushed. */
  readonly part: string | null;
  readonly message: ReadMessage;
};

/** An e-mail in an e-mail in a provider's JSON is three. */
const DEPTH_MAX = 6;
/** Of the processor, for one text. The largest takes a second or two; one that is made to take long stops no node. */
const READ_MS_MAX = 10 * SECOND_MS;
/** Opened of one text. */
const PLACES_MAX = 2_000;
/** Named where none has a message. */
const PLACES_NAMED_MAX = 10;

/**
 * One result for each waybill of each message; one `refused`, which says where it looked, without any.
 *
 * @param isMail - whether the sender says that it is an e-mail.
 * @param receivedMs - milliseconds since the epoch, from which the years of days are inferred.
 */
export async function readCarried(
  received: Buffer,
  isMail: boolean,
  receivedMs: number,
  clock: Pick<Clock, "monotonicMs">,
): Promise<readonly CarriedMessage[]> {
  const read: CarriedMessage[] = [];
  const looked: { readonly part: string | null; readonly failure: Opened["failure"] }[] = [];
  const pause = createPause(clock);
  const waiting: Carried[] = [{ part: null, content: received, isMail, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (looked.length === PLACES_MAX) break;
    await pause();
    const { part } = next;
    const opened = await open(next, receivedMs, clock);
    looked.push({ part, failure: opened.failure });
    for (const message of opened.messages) {
      if (read.length === WAYBILLS_MAX) return [...read, { part, message: tooMany() }];
      read.push({ part, message });
    }
    for (const held of opened.inside.toReversed()) waiting.push(held);
  }
  return read.length > 0 ? read : [{ part: null, message: nothingIn(looked) }];
}

async function open(
  carried: Carried,
  receivedMs: number,
  clock: Pick<Clock, "monotonicMs">,
): Promise<Opened> {
  const { content, isMail, depth } = carried;
  if (depth > DEPTH_MAX) return failed(`more than ${DEPTH_MAX} texts within each other are not read`);
  if (isMail) return openMail(carried);
  const text = typeof content === "string" ? content : decodeText(content);
  if (looksLikeMail(text)) return openMail(carried);
  if (text.length > TEXT_CHARS_MAX) return failed(`the text has more than ${TEXT_CHARS_MAX} characters`);
  const opened = await runInSlicesWithin(READ_MS_MAX, openText(carried, text, receivedMs), clock);
  return opened === "stopped"
    ? failed(`the text takes more than ${READ_MS_MAX / SECOND_MS} seconds to read; send it in several`)
    : opened;
}

function failed(message: string): Opened {
  return { ...NOTHING_OPENED, failure: { line: 1, column: 1, message } };
}

function* openText(carried: Carried, text: string, receivedMs: number): SlicedWork<Opened> {
  const first = /^[\s\uFEFF\0]*(.)/su.exec(text)?.[1];
  if (first === "<") {
    const isHtml = looksLikeHtml(text);
    const opened = isHtml ? inHtml(carried, text) : yield* openXml(carried, text);
    if (opened.failure === null) return opened;
    return yield* openPlain(text, receivedMs, opened.failure);
  }
  const json = first === "{" || first === "[" ? yield* openJson(carried, text) : null;
  if (json !== null) return json;
  const plain = yield* openPlain(text, receivedMs, null);
  const xml = plain.messages.length === 0 ? xmlWithin(text) : null;
  return xml === null ? plain : yield* openXml(carried, xml);
}

function inHtml(carried: Carried, text: string): Opened {
  const shown = textOfHtml(text);
  return { ...NOTHING_OPENED, inside: mayHoldMessage(shown) ? [within(carried, "html", shown)] : [] };
}

function* openPlain(text: string, receivedMs: number, failure: Opened["failure"]): SlicedWork<Opened> {
  return { ...NOTHING_OPENED, messages: yield* messagesInSteps(text, receivedMs), failure };
}

function tooMany(): ReadMessage {
  const message = `more than ${WAYBILLS_MAX} waybills in one text: the rest is not read`;
  return { kind: "refused", problem: { line: 1, column: 1, message }, text: "" };
}

/** Says where it looked, and what it expected there. */
function nothingIn(
  looked: readonly { readonly part: string | null; readonly failure: Opened["failure"] }[],
): ReadMessage {
  const failure = looked.find((one) => one.failure !== null && one.part === null)?.failure;
  const places = looked.flatMap(({ part, failure: why }) =>
    part === null ? [] : [why === null ? part : `${part}: ${why.message}`],
  );
  const named = places.slice(0, PLACES_NAMED_MAX).join("; ");
  const more = places.length > PLACES_NAMED_MAX ? `; and ${places.length - PLACES_NAMED_MAX} more` : "";
  const message = `${failure?.message ?? NO_MESSAGE}${named === "" ? "" : `, looked in ${named}${more}`}`;
  return {
    kind: "refused",
    problem: { line: failure?.line ?? 1, column: failure?.column ?? 1, message },
    text: "",
  };
}
