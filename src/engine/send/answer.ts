/**
 * Reads one answer of HTTP/1.1 (RFC 9112), however its bytes are cut, and keeps what frames it: the rest is checked and
 * skipped in place. A framing that two readers might understand differently is refused.
 *
 *      status line ─▶ fields ─▶ body of a known length ──────▶ complete
 *           ▲           │   ├─▶ chunks ─▶ trailer fields ────▶ complete
 *           └── 1xx ────┘   └─▶ body until the close ─(close)─▶ complete
 *      in any state ─▶ refused, too large
 */
import type { AttemptError } from "../../model/delivery.ts";
import { MINUTE_MS } from "../../runtime/durations.ts";
import { attemptError } from "./errors.ts";

/**
 * The body of an answer is counted and dropped, never kept or inflated (spec 8: response_body), so this
 * bounds work, not memory. An ordinary web page fits.
 */
export const ANSWER_BYTES_MAX = 64 * 1024;

/** Of a status line with its fields; then of all chunk extensions and trailer fields. Bytes. */
export const ANSWER_HEAD_BYTES_MAX = 16 * 1024;

/** 1xx answers before the final one. */
export const INTERIM_ANSWERS_MAX = 16;

/** How long a connection stays idle, milliseconds, unless the receiver announces another time. */
export const KEEP_ALIVE_MS = MINUTE_MS;
const KEEP_ALIVE_MS_MAX = 120_000;
/** A request must arrive before the announced time is over. */
const KEEP_ALIVE_MARGIN_MS = 2_000;

export type Answer = ReturnType<typeof createAnswer>;

/** Reads from `at`, `end` is greater; returns how far it came. */
type Step = (answer: Answer, bytes: Buffer, at: number, end: number) => number;

export function createAnswer() {
  return {
    /** Null while the answer goes on. */
    end: null as "complete" | AttemptError | null,
    /** Of the final answer, once its head has come; 0 before. */
    statusCode: 0,
    /** Of its body, as far as it was read. */
    bodyBytes: 0,
    hasBegun: false,
    /** How long the connection may stay idle after this answer, milliseconds; 0: not at all. */
    keepAliveMs: 0,
    /** What the next byte belongs to. */
    step: value,
    /** What the line may still be; 0: it does not matter. */
    line: STATUS as number,
    nameBytes: 0,
    /** Of a line that matters. */
    value: "",
    /** Whether what is read counts against `headLeft`. */
    isHead: true,
    headLeft: ANSWER_HEAD_BYTES_MAX,
    interimAnswers: 0,
    /** By any of the heads. */
    announcedMs: Infinity,
    /** Of the head that is read. */
    code: 0,
    isHttp10: false,
    length: null as number | null,
    /** By a `Transfer-Encoding`: in chunks, or until the close. */
    isCoded: false,
    isChunked: false,
    isEncoded: false,
    isClose: false,
    isKeepAlive: false,
    isTrailer: false,
    /** Of the body or the chunk; infinite where the close ends it. */
    left: 0,
  };
}

/** Reads on; returns how many of the bytes belong to the answer. */
export function readAnswer(answer: Answer, bytes: Buffer, length: number): number {
  let at = 0;
  answer.hasBegun = true;
  while (at < length && answer.end === null) {
    if (!answer.isHead) at = answer.step(answer, bytes, at, length);
    else if (answer.headLeft === 0) answer.end = attemptError("headers_too_large");
    else {
      const from = at;
      at = answer.step(answer, bytes, at, Math.min(length, at + answer.headLeft));
      answer.headLeft -= at - from;
    }
  }
  return at;
}

/** The connection has closed: some answers end so. */
export function closeAnswer(answer: Answer): void {
  answer.end ??= answer.left === Infinity ? "complete" : attemptError("closed_early");
}

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const COLON = 58;

/** The fields that matter, each a bit, and the lines that are no fields. */
const FIELDS = ["content-length", "transfer-encoding", "connection", "keep-alive", "content-encoding"];
const [LENGTH, CODING, CONNECTION, KEEP_ALIVE, ENCODING, STATUS, CHUNK] = [1, 2, 4, 8, 16, 32, 64] as const;
const ANY_FIELD = 31;
const NAME_BYTES_MAX = Math.max(...FIELDS.map((name) => name.length));

const charOf = (byte: number): string => String.fromCharCode(byte).toLowerCase();
const byByte = (of: (char: string, byte: number) => number): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => of(charOf(byte), byte));

const IS_TEXT = byByte((_, byte) => Number(byte === TAB || (byte >= SPACE && byte !== 127)));
const IS_TOKEN = byByte((char) => Number(/[!#$%&'*+.^`|~\w-]/u.test(char)));
/** By place in the name, and by byte: the fields whose names have it there. */
const NAMED = Array.from({ length: NAME_BYTES_MAX }, (_, place) =>
  byByte((char) => FIELDS.reduce((bits, name, index) => bits | (Number(name[place] === char) << index), 0)),
);
/** The fields with names of that length. */
const LONG = Array.from({ length: NAME_BYTES_MAX + 1 }, (_, bytes) =>
  FIELDS.reduce((bits, name, index) => bits | (Number(name.length === bytes) << index), 0),
);

/** What does not matter of a line. */
function text(answer: Answer, bytes: Buffer, from: number, end: number): number {
  const at = textEnd(bytes, from, end);
  return at === end ? end : endText(answer, bytes[at]!, at);
}

/** In one piece: a string that grows by one character after the other takes 32 bytes for each. */
function value(answer: Answer, bytes: Buffer, from: number, end: number): number {
  const at = textEnd(bytes, from, end);
  answer.value += bytes.toString("latin1", from, at);
  return at === end ? end : endText(answer, bytes[at]!, at);
}

function textEnd(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && IS_TEXT[bytes[at]!] === 1) at++;
  return at;
}

function endText(answer: Answer, byte: number, at: number): number {
  if (byte !== CR) return refuse(answer, "a control character in a line", at);
  answer.step = endOfLine;
  return at + 1;
}

function lineStart(answer: Answer, bytes: Buffer, at: number): number {
  const isEmpty = bytes[at] === CR;
  answer.line = ANY_FIELD;
  answer.nameBytes = 0;
  answer.step = isEmpty ? endOfHead : fieldName;
  return isEmpty ? at + 1 : at;
}

function fieldName(answer: Answer, bytes: Buffer, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const byte = bytes[at]!;
    if (IS_TOKEN[byte] === 1) {
      const place = answer.nameBytes++;
      answer.line &= place < NAME_BYTES_MAX ? NAMED[place]![byte]! : 0;
    } else {
      if (byte !== COLON || answer.nameBytes === 0) return refuse(answer, "a line that is no field", at);
      answer.line &= LONG[Math.min(answer.nameBytes, NAME_BYTES_MAX)]!;
      answer.step = answer.line === 0 ? text : value;
      answer.value = "";
      return at + 1;
    }
  }
  return end;
}

/** A line feed, and what it means: `read` returns what is wrong with that. */
function lineFeed(read: (answer: Answer) => string | null): Step {
  return (answer, bytes, at) => {
    const refusal = bytes[at] === LF ? read(answer) : "a carriage return alone";
    return refusal === null ? at + 1 : refuse(answer, refusal, at);
  };
}

function refuse(answer: Answer, detail: string, at: number): number {
  answer.end = attemptError("protocol_error", detail);
  return at;
}

const endOfLine = lineFeed((answer) => {
  const { line } = answer;
  answer.step = lineStart;
  if (line === 0) return null;
  if (line === STATUS) return readStatus(answer);
  if (line === CHUNK) return readChunkSize(answer);
  return answer.isTrailer ? "framing in a trailer field" : readField(answer);
});

function readStatus(answer: Answer): string | null {
  const { value: content } = answer;
  if (!/^HTTP\/1\.[01] [1-9]\d\d(?: |$)/u.test(content)) return "no status line of it";
  answer.isHttp10 = content.charAt("HTTP/1.".length) === "0";
  answer.code = Number(content.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length));
  return null;
}

/** RFC 9112 6.1, without parameters. */
const CODINGS = /^[\t ]*[!#$%&'*+.^`|~\w-]+ *(?:, *[!#$%&'*+.^`|~\w-]+ *)*$/u;

/** A tab behind a value is a blank to RFC 9110, and to llhttp a part of the value: no framing hangs on one. */
function readField(answer: Answer): string | null {
  const { line, value: content } = answer;
  if (line === LENGTH) {
    if (!/^[\t ]*\d{1,15} *$/u.test(content)) return "no valid content-length";
    if (answer.length !== null) return "two content-lengths";
    answer.length = Number(content);
  } else if (line === CODING) {
    const codings = CODINGS.test(content) ? content.toLowerCase().split(",") : [];
    const chunkedAt = codings.findIndex((coding) => coding.trim() === "chunked");
    if (answer.isCoded || codings.length === 0) return "no valid transfer-encoding";
    if (chunkedAt !== -1 && chunkedAt !== codings.length - 1) return "a transfer-encoding behind chunked";
    answer.isCoded = true;
    answer.isChunked = chunkedAt !== -1;
  } else if (line === CONNECTION) {
    answer.isClose ||= /(?:^|,)[\t ]*close[\t ]*(?:,|$)/iu.test(content);
    answer.isKeepAlive ||= /(?:^|,)[\t ]*keep-alive *(?:,|$)/iu.test(content);
  } else if (line === KEEP_ALIVE) {
    const seconds = /(?:^|,)[\t ]*timeout=(\d+)/iu.exec(content)?.[1] ?? Infinity;
    answer.announcedMs = Math.min(answer.announcedMs, Number(seconds) * 1_000);
  } else if (line === ENCODING) answer.isEncoded = true;
  return null;
}

const endOfHead = lineFeed((answer) => {
  const { code, length, isCoded, isChunked } = answer;
  if (answer.isTrailer) return complete(answer);
  if (isCoded && length !== null) return "a content-length beside a transfer-encoding";
  if (isCoded && answer.isHttp10) return "a transfer-encoding in HTTP/1.0";
  if (code < 200) return endInterim(answer);
  answer.statusCode = code;
  answer.isHead = false;
  answer.headLeft = ANSWER_HEAD_BYTES_MAX;
  // What such an answer announces may still follow.
  if (code === 204 || code === 304) return complete(answer, !isCoded && (length ?? 0) === 0);
  if (isChunked) return beginChunk(answer);
  if (length === 0) return complete(answer);
  // A long answer whose length is known counts as complete, unread. The length of a compressed one says nothing.
  if (length !== null && length > ANSWER_BYTES_MAX && !answer.isEncoded) return complete(answer, false);
  answer.left = length ?? Infinity;
  answer.step = body;
  return null;
});

function endInterim(answer: Answer): string | null {
  const { code, length, isCoded, interimAnswers, announcedMs } = answer;
  if (code === 101) return "an upgrade nobody asked for";
  if (isCoded || (length ?? 0) > 0) return "a 1xx answer with a body";
  if (!mayGoOn(answer)) return "a 1xx answer that ends the connection";
  if (interimAnswers === INTERIM_ANSWERS_MAX) return "too many 1xx answers";
  Object.assign(answer, createAnswer(), { hasBegun: true, interimAnswers: interimAnswers + 1, announcedMs });
  return null;
}

/** Whether the receiver lets another answer follow on the connection. */
function mayGoOn({ isClose, isHttp10, isKeepAlive }: Answer): boolean {
  return !isClose && (isKeepAlive || !isHttp10);
}

function complete(answer: Answer, isWhole = true): null {
  answer.end = "complete";
  if (!isWhole || !mayGoOn(answer)) return null;
  const { announcedMs } = answer;
  const untilMs = Math.min(announcedMs - KEEP_ALIVE_MARGIN_MS, KEEP_ALIVE_MS_MAX);
  answer.keepAliveMs = announcedMs === Infinity ? KEEP_ALIVE_MS : Math.max(0, untilMs);
  return null;
}

function body(answer: Answer, _bytes: Buffer, from: number, end: number): number {
  // One more than allowed shows that it is too long.
  const read = Math.min(end - from, answer.left, ANSWER_BYTES_MAX + 1 - answer.bodyBytes);
  answer.bodyBytes += read;
  answer.left -= read;
  if (answer.bodyBytes > ANSWER_BYTES_MAX) answer.end = attemptError("answer_too_large");
  else if (answer.left === 0 && answer.isChunked) answer.step = afterChunk;
  else if (answer.left === 0) complete(answer);
  return from + read;
}

function beginChunk(answer: Answer): null {
  answer.isHead = true;
  answer.line = CHUNK;
  answer.value = "";
  answer.step = value;
  return null;
}

/** RFC 9112 7.1: a size, and extensions without blanks. */
const CHUNK_LINE =
  /^([\da-f]{1,13})((?:;[!#$%&'*+.^`|~\w-]+(?:=(?:[!#$%&'*+.^`|~\w-]+|"(?:[^"\\]|\\.)*"))?)*)$/iu;

function readChunkSize(answer: Answer): string | null {
  const found = CHUNK_LINE.exec(answer.value);
  if (found === null) return "no valid chunk size";
  answer.left = parseInt(found[1]!, 16);
  answer.isTrailer = answer.left === 0;
  if (answer.isTrailer) return null;
  // Sizes are of the body; extensions in all are bounded like a head.
  if (found[2] === "") answer.headLeft += answer.value.length + 2;
  answer.isHead = false;
  answer.step = body;
  return null;
}

function afterChunk(answer: Answer, bytes: Buffer, at: number): number {
  if (bytes[at] !== CR) return refuse(answer, "a chunk longer than its size", at);
  answer.step = endOfChunk;
  return at + 1;
}

const endOfChunk = lineFeed(beginChunk);
