/** Answers, well-formed and mangled, cut anywhere; and what must hold when two other readers see the same bytes. */
import assert from "node:assert/strict";

import fc from "fast-check";

import { readByNode, readByUndici, readByUs, type Arrival, type Reading } from "./parsers.ts";

const of = (characters: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from(characters)), minLength, maxLength });
const text = of('abc XYZ09:;,="\\\t\u00e9-_', 0, 12);
const token = of("abcXYZ09!#-_~", 1, 8);
const cased = (...names: readonly string[]) =>
  fc.constantFrom(...names.flatMap((name) => [name, name.toLowerCase(), name.toUpperCase()]));
const line = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>) =>
  fc
    .tuple(name, fc.constantFrom("", " ", "\t "), value, fc.constantFrom("", " "))
    .map(([named, before, content, behind]) => `${named}:${before}${content}${behind}\r\n`);

const field = fc.oneof(
  line(
    token.map((name) => `x-${name}`),
    text,
  ),
  line(cased("Date", "Server", "Content-Type", "Vary", "Content-Encoding"), text),
  line(
    cased("Connection"),
    fc.constantFrom("close", "keep-alive", "Keep-Alive, x", "upgrade", "x, close", "closed"),
  ),
  line(
    cased("Keep-Alive"),
    fc.constantFrom("timeout=5", "timeout=1, max=2", "max=3,timeout=0", "timeout=999", "x"),
  ),
);
const fields = fc.array(field, { maxLength: 4 }).map((lines) => lines.join(""));

const body = of("ok\r\n0;HTTP/1. 2", 0, 24);
const extension = fc.oneof(
  { weight: 3, arbitrary: fc.constant("") },
  token.map((name) => `;${name}`),
  fc.tuple(token, token).map(([name, value]) => `;${name}=${value}`),
  fc
    .tuple(token, fc.constantFrom("", "a;b", '\\"', "\\\\", "é \t"))
    .map(([name, value]) => `;${name}="${value}"`),
);
const chunk = fc.tuple(body, extension).map(([data, behind]) => {
  return data === "" ? "" : `${data.length.toString(16)}${behind}\r\n${data}\r\n`;
});
const trailers = fc
  .array(
    line(
      token.map((name) => `x-${name}`),
      text,
    ),
    { maxLength: 2 },
  )
  .map((lines) => lines.join(""));

/** The last field and all that follows the head. */
const framing = fc.oneof(
  body.map((data) => `Content-Length: ${data.length}\r\n\r\n${data}`),
  fc
    .tuple(cased("Transfer-Encoding: chunked"), fc.array(chunk, { maxLength: 4 }), extension, trailers)
    .map(([named, chunks, last, after]) => `${named}\r\n\r\n${chunks.join("")}0${last}\r\n${after}\r\n`),
  body.map((data) => `\r\n${data}`),
);

const reason = fc.constantFrom(" OK", " ", "", " Not at all", " 200");
const interim = fc
  .tuple(fc.constantFrom(102, 103, 199), reason, fields)
  .map(([code, why, lines]) => `HTTP/1.1 ${code}${why}\r\n${lines.replace(/close/gu, "open")}\r\n`);

export const wellFormed: fc.Arbitrary<string> = fc
  .record({
    interims: fc.array(interim, { maxLength: 2 }),
    version: fc.constantFrom("1.1", "1.1", "1.1", "1.0"),
    code: fc.constantFrom(200, 200, 202, 204, 205, 299, 301, 304, 404, 410, 500, 599),
    reason,
    before: fields,
    framing,
  })
  .map(({ interims, version, code, reason: why, before, framing: rest }) => {
    const isBare = (code === 204 || code === 304) && !rest.startsWith("\r\n");
    // In HTTP/1.0 there are no chunks, and with these codes no body.
    const ends = isBare || (version === "1.0" && /^transfer/iu.test(rest)) ? "\r\n" : rest;
    const last = code === 204 || code === 304 ? "\r\n" : ends;
    return `${interims.join("")}HTTP/${version} ${code}${why}\r\n${before}${last}`;
  });

/** Lines that matter, right and wrong. */
const LINES = [
  "Content-Length: 0",
  "Content-Length: 2",
  "content-length:5 ",
  "Content-Length: 3, 3",
  "Content-Length: +2",
  "Content-Length: 0x2",
  "Content-Length: 2;",
  "Content-Length: 2 2",
  "Content-Length:",
  "Content-Length: 00000000000000000005",
  "Content-Length: 18446744073709551618",
  "content-length : 1",
  "Content_Length: 4",
  "Content-Length:\r\n 4",
  "Content-Length: 1\r\n 4",
  "Transfer-Encoding: chunked",
  "transfer-encoding:CHUNKED ",
  "Transfer-Encoding: chunked\t",
  "Content-Length: 2\t",
  "Connection: keep-alive\t",
  "Connection: close\t",
  "Transfer-Encoding: gzip, chunked",
  "Transfer-Encoding: chunked, identity",
  "Transfer-Encoding: chunked, chunked",
  "Transfer-Encoding: ,chunked",
  "Transfer-Encoding: xchunked",
  "Transfer-Encoding: identity",
  "Transfer-Encoding:",
  "Transfer-Encoding:\x0bchunked",
  "Transfer-Encoding: \0chunked",
  "Transfer-Encoding : chunked",
  "Connection: close",
  "Connection: keep-alive",
  "Connection: close, keep-alive",
  "Connection: keep-alive,close",
  "Connection: closed",
  "Connection: upgrade",
  "Connection: , ,close ,",
  "Upgrade: h2c",
  "Keep-Alive: timeout=2",
  "Keep-Alive: timeout=1",
  "Keep-Alive: x=1, timeout=0",
  "X-A: b",
  "X-A: b\r\n folded",
  "X-A: b\r\n\tContent-Length: 5",
  " X-A: b",
  "X-A",
  ": b",
  "X A: b",
  "X-A: \x7f",
  "X-A: \0",
  "X-A: \xff",
  "HTTP/1.1 200 OK",
];
const STATUS_LINES = [
  ...Array.from({ length: 4 }, () => "HTTP/1.1 200 OK"),
  "HTTP/1.0 200 OK",
  "HTTP/1.1 204 No",
  "HTTP/1.1 205 Reset",
  "HTTP/1.1 304 Same",
  "HTTP/1.1 500",
  "HTTP/1.1 100 Continue",
  "HTTP/1.1 102 ",
  "HTTP/1.0 103 E",
  "HTTP/1.1 101 Switching",
  "HTTP/1.1 2000 X",
  "HTTP/1.1 20 X",
  "HTTP/1.1  200 X",
  "HTTP/1.1\t200 X",
  "HTTP/1.1 200\tX",
  "HTTP/1.2 200 X",
  "HTTP/2.0 200 X",
  "HTTP/2 200",
  "HTTP/0.9 200 X",
  "http/1.1 200 X",
  "ICY 200 OK",
  "RTSP/1.0 200 OK",
  "PRI * HTTP/2.0",
];
const BODIES = [
  "ok",
  "hello",
  "\r\n",
  "2\r\nok\r\n",
  "2;a=b\r\nok\r\n",
  '2;a="\\"b"\r\nok\r\n',
  "2;\r\nok\r\n",
  "2;;a\r\nok\r\n",
  "2;a=\r\nok\r\n",
  "2; a\r\nok\r\n",
  '2;a="b"c\r\nok\r\n',
  '2;a="\n"\r\nok\r\n',
  "2 \r\nok\r\n",
  " 2\r\nok\r\n",
  "+2\r\nok\r\n",
  "0x2\r\nok\r\n",
  "2\nok\n",
  "2\r\nok",
  "2\r\nokay\r\n",
  "0000000000000002\r\nok\r\n",
  "10000000000000002\r\nok\r\n",
  "g\r\n",
  "0\r\n\r\n",
  "0\r\n\r\n",
  "0;a\r\n\r\n",
  "0\n\n",
  "0\r\nX-A: b\r\n\r\n",
  "0\r\n folded\r\n\r\n",
  "0\r\nContent-Length: 2\r\n\r\n",
  "0\r\nTransfer-Encoding: chunked\r\n\r\n",
  "0\r\nConnection: close\r\n\r\n",
  "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
];
const END = fc.oneof(
  { weight: 40, arbitrary: fc.constant("\r\n") },
  fc.constantFrom("\n", "\r", "\r\r\n", "\r\n\r\n", ""),
);
const lineOf = (lines: readonly string[]) =>
  fc.tuple(fc.constantFrom(...lines), END).map((parts) => parts.join(""));
const joined = (lines: readonly string[], maxLength: number) =>
  fc.array(lineOf(lines), { maxLength }).map((all) => all.join(""));

/** Put together of lines, each of which may be wrong, and none may fit the others. */
export const dubious: fc.Arbitrary<string> = fc
  .array(
    fc
      .tuple(
        lineOf(STATUS_LINES),
        joined(LINES, 3),
        END,
        fc.array(fc.constantFrom(...BODIES), { maxLength: 3 }),
      )
      .map(([status, lines, end, bodies]) => [status, lines, end, ...bodies].join("")),
    { minLength: 1, maxLength: 2 },
  )
  .map((heads) => heads.join(""));

const FRAGMENTS = [
  ...Array.from('\r\n\t :;,="\\0159afgHT.-+_\0\x7f\x0b\xff'),
  ...["\r\n", "\r\n\r\n", "\n\n", "\r\r\n", "HTTP/1.1 "],
  ...[...STATUS_LINES, ...LINES].map((one) => `${one}\r\n`),
  ...BODIES,
];

/** Anywhere, as a part of the whole. `fc.double` draws almost nothing but the beginning. */
const place = fc.noBias(fc.nat(9_999)).map((part) => part / 10_000);

type Edit = {
  readonly kind: "insert" | "replace" | "delete" | "repeat";
  readonly at: number;
  readonly isLine: boolean;
  readonly length: number;
  readonly with: string;
};

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom("insert", "replace", "delete", "repeat"),
  at: place,
  isLine: fc.boolean(),
  length: fc.integer({ min: 1, max: 6 }),
  with: fc.constantFrom(...FRAGMENTS),
});

function edited(answer: string, { kind, at, isLine, length, with: fragment }: Edit): string {
  const anywhere = Math.floor(at * answer.length);
  const from = isLine ? answer.lastIndexOf("\n", anywhere) + 1 : anywhere;
  const [before, cut, behind] = [
    answer.slice(0, from),
    answer.slice(from, from + length),
    answer.slice(from + length),
  ];
  if (kind === "insert") return before + fragment + cut + behind;
  if (kind === "replace") return before + fragment + behind;
  return kind === "delete" ? before + behind : before + cut + cut + behind;
}

export const mangled: fc.Arbitrary<string> = fc
  .tuple(fc.oneof(wellFormed, dubious), fc.array(edit, { minLength: 1, maxLength: 3 }))
  .map(([answer, edits]) => edits.reduce(edited, answer));

export const anyAnswer = fc.oneof(wellFormed, dubious, { weight: 2, arbitrary: mangled });

/** Cut into at most so many pieces, and perhaps closed. */
export function arriving(answers: fc.Arbitrary<string>): fc.Arbitrary<Arrival> {
  const places = fc.array(place, { maxLength: 5 });
  return fc.tuple(answers, places, fc.boolean()).map(([answer, cuts, isClosed]) => {
    const bytes = Buffer.from(answer, "latin1");
    const at = [
      0,
      ...cuts.map((cut) => Math.floor(cut * bytes.length)).toSorted((a, b) => a - b),
      bytes.length,
    ];
    return { pieces: at.slice(1).map((end, index) => bytes.subarray(at[index], end)), isClosed };
  });
}

/** All at once, and byte by byte: it is the same answer. */
export function checkCuts({ pieces, isClosed }: Arrival): Reading {
  const bytes = Buffer.concat(pieces);
  const reading = readByUs({ pieces, isClosed });
  assert.deepEqual(readByUs({ pieces: [bytes], isClosed }), reading);
  assert.deepEqual(readByUs({ pieces: Array.from(bytes, (byte) => Buffer.of(byte)), isClosed }), reading);
  return reading;
}

/**
 * We may refuse what others accept. What we accept they understand as we do, its end above all: a connection whose answers
 * two readers cut differently gives one delivery the answer of another.
 */
export async function checkBesideOthers(arrival: Arrival): Promise<void> {
  const ours = checkCuts(arrival);
  const answer = Buffer.concat(arrival.pieces).toString("latin1");
  // We do not wait for a body that is announced to be long.
  if (ours.kind === "complete" && ours.bodyBytes === 0 && !ours.isKept && LONG.test(answer)) return;
  checkNoLaxer(arrival, ours, await readByNode(arrival));
  if (!UNDICI_REFUSES.test(answer)) checkNoLaxer(arrival, ours, await readByUndici(arrival));
}

const LONG = /content-length:[\t ]*0*[1-9]\d{4}/iu;

/**
 * undici knows no 100 but as an answer to an Expect, where RFC 9110 15.2 has a client skip it, and counts a blank behind a
 * content-length as a digit.
 */
const UNDICI_REFUSES = /HTTP\/1\.[01] 100[ \r]|content-length:[^\r]*[ \t]\r/iu;

function checkNoLaxer({ pieces, isClosed }: Arrival, ours: Reading, theirs: Reading): void {
  if (ours.kind === "refused") return;
  // We judge some lines at their end only. An answer that waits for it is none when the connection closes.
  if (ours.kind === "open" && theirs.kind === "refused")
    return assert.equal(readByUs({ pieces, isClosed: true }).kind, "refused");
  assert.equal(theirs.kind, ours.kind);
  if (ours.kind !== "complete" || theirs.kind !== "complete") return;
  assert.deepEqual([ours.status, ours.bodyBytes], [theirs.status, theirs.bodyBytes]);
  if (!isClosed) assert.ok(theirs.isKept || !ours.isKept, "kept by us alone");
}
