/** The corners of RFC 9112, each answer read at once, byte by byte, and over TLS. */
import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, test } from "node:test";

import {
  ANSWER_BYTES_MAX,
  ANSWER_HEAD_BYTES_MAX,
  createAnswer,
  INTERIM_ANSWERS_MAX,
  readAnswer,
} from "../../src/engine/send/answer.ts";
import { checkCuts } from "./answers.ts";
import { readByUs } from "./parsers.ts";
import { inShort, openReceiver, post, testSender } from "./sending.ts";

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const EMPTY = `${OK}content-length: 0\r\n\r\n`;

/** A `|` ends the answer: the receiver closes there. */
type Row = readonly [what: string, answer: string];
type Rows = readonly Row[];

/** Complete, and the connection carries the next request. */
const KEPT: Rows = [
  ["a length", `${OK}content-length: 2\r\n\r\nok`],
  ["a length of zero", EMPTY],
  ["a length with blanks around it", `${OK}Content-Length:\t 2 \r\n\r\nok`],
  ["a length with zeros before it", `${OK}content-length: 002\r\n\r\nok`],
  ["no reason", "HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n"],
  ["an empty reason", "HTTP/1.1 200 \r\ncontent-length: 0\r\n\r\n"],
  ["a reason in another alphabet", "HTTP/1.1 200 \xe9\xff\r\ncontent-length: 0\r\n\r\n"],
  ["chunks", `${CHUNKED}2\r\nok\r\nA\r\n0123456789\r\n0\r\n\r\n`],
  ["a chunk size with zeros before it", `${CHUNKED}0002\r\nok\r\n000\r\n\r\n`],
  ["chunk extensions", `${CHUNKED}2;a;b=c;d="e;\\"f"\r\nok\r\n0;g\r\n\r\n`],
  ["trailer fields", `${CHUNKED}2\r\nok\r\n0\r\nx-a: b\r\nx-c:\r\n\r\n`],
  ["chunked in capitals", `${OK}TRANSFER-ENCODING: Chunked\r\n\r\n0\r\n\r\n`],
  ["another coding in chunks", `${OK}transfer-encoding: gzip , chunked \r\n\r\n2\r\nok\r\n0\r\n\r\n`],
  ["an empty field", `${OK}x-a:\r\ncontent-length: 0\r\n\r\n`],
  [
    "a field whose name begins like another",
    `${OK}content-lengths: 9\r\ncontent-lengt: 9\r\ncontent-length: 0\r\n\r\n`,
  ],
  ["204 without a body", "HTTP/1.1 204 No Content\r\n\r\n"],
  ["304 without a body", "HTTP/1.1 304 Not Modified\r\n\r\n"],
  ["100 before it", `HTTP/1.1 100 Continue\r\n\r\n${EMPTY}`],
  ["102 and 103 before it", `HTTP/1.1 102 P\r\n\r\nHTTP/1.1 103 E\r\nlink: </a>\r\n\r\n${EMPTY}`],
  [
    "HTTP/1.0 that keeps the connection",
    "HTTP/1.0 200 OK\r\nconnection: Keep-Alive\r\ncontent-length: 0\r\n\r\n",
  ],
  ["three seconds to keep it", `${OK}keep-alive: timeout=3, max=9\r\ncontent-length: 0\r\n\r\n`],
  ["a status nobody knows", "HTTP/1.1 799 X\r\ncontent-length: 0\r\n\r\n"],
];

/** Complete, and nothing else goes over the connection. */
const CLOSED: Rows = [
  ["connection: close", `${OK}connection: close\r\ncontent-length: 2\r\n\r\nok`],
  ["close among others", `${OK}Connection: x,\tCLOSE , keep-alive\r\ncontent-length: 0\r\n\r\n`],
  [
    "close in a second field",
    `${OK}connection: keep-alive\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
  ],
  ["HTTP/1.0", "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok"],
  ["two seconds to keep it", `${OK}keep-alive: timeout=2\r\ncontent-length: 0\r\n\r\n`],
  ["no time to keep it in a 1xx answer", `HTTP/1.1 102 P\r\nkeep-alive: timeout=0\r\n\r\n${EMPTY}`],
  ["204 that announces a body", "HTTP/1.1 204 No\r\ncontent-length: 2\r\n\r\n"],
  ["304 that announces chunks", "HTTP/1.1 304 No\r\ntransfer-encoding: chunked\r\n\r\n"],
  ["a long body that it announces", `${OK}content-length: ${ANSWER_BYTES_MAX + 1}\r\n\r\n`],
  ["a body until the close", `${OK}\r\nuntil the end|`],
  ["a coding without chunks", `${OK}transfer-encoding: identity\r\n\r\nuntil the end|`],
  ["a coding that contains chunked", `${OK}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n|`],
  ["no body before the close", `${OK}\r\n|`],
  ["a byte behind its end", `${EMPTY}x`],
  ["an empty line behind its end", `${EMPTY}\r\n`],
  ["another answer behind its end", EMPTY + EMPTY],
];

const REFUSED: Rows = [
  ["a length beside chunks", `${OK}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
  ["chunks beside a length", `${OK}transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n`],
  ["two lengths", `${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nok`],
  ["two equal lengths", `${OK}content-length: 2\r\ncontent-length: 2\r\n\r\nok`],
  ["a list of lengths", `${OK}content-length: 2, 2\r\n\r\nok`],
  ["an empty length", `${OK}content-length:\r\n\r\n`],
  ["a signed length", `${OK}content-length: +2\r\n\r\nok`],
  ["a negative length", `${OK}content-length: -2\r\n\r\nok`],
  ["a hexadecimal length", `${OK}content-length: 0x2\r\n\r\nok`],
  ["a length beyond numbers", `${OK}content-length: 99999999999999999999\r\n\r\n`],
  ["a length before a tab", `${OK}content-length: 2\t\r\n\r\nok`],
  ["chunked before a tab", `${OK}transfer-encoding: chunked\t\r\n\r\n0\r\n\r\n`],
  ["a length with a no-break space", `${OK}content-length: 2\xa0\r\n\r\nok`],
  ["a coding after chunked", `${OK}transfer-encoding: chunked, identity\r\n\r\n`],
  ["chunked twice", `${OK}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
  ["no coding", `${OK}transfer-encoding:\r\n\r\n`],
  ["a length beside another coding", `${OK}transfer-encoding: gzip\r\ncontent-length: 2\r\n\r\nok`],
  ["a coding with a parameter", `${OK}transfer-encoding: chunked;a=b\r\n\r\n0\r\n\r\n`],
  ["chunks in HTTP/1.0", "HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"],
  ["no chunk size", `${CHUNKED}\r\nok`],
  ["a chunk size that is none", `${CHUNKED}g\r\n`],
  ["a chunk size behind a blank", `${CHUNKED} 2\r\nok`],
  ["a chunk size before a blank", `${CHUNKED}2 \r\nok`],
  ["a signed chunk size", `${CHUNKED}+2\r\nok`],
  ["a chunk size 0x2", `${CHUNKED}0x2\r\nok`],
  ["a chunk size beyond numbers", `${CHUNKED}10000000000000000\r\nok`],
  ["a chunk longer than its size", `${CHUNKED}2\r\noks\r\n0\r\n\r\n`],
  ["a chunk without a line's end", `${CHUNKED}2\r\nok0\r\n\r\n`],
  ["an empty chunk extension", `${CHUNKED}2;\r\nok\r\n`],
  ["a chunk extension without a name", `${CHUNKED}2;=a\r\nok\r\n`],
  ["a chunk extension without its value", `${CHUNKED}2;a=\r\nok\r\n`],
  ["a chunk extension that is quoted in part", `${CHUNKED}2;a="b"c\r\nok\r\n`],
  ["a line's end in a quoted chunk extension", `${CHUNKED}2;a="\r\n"\r\nok\r\n`],
  ["a control character after a backslash", `${CHUNKED}2;a="\\\n"\r\nok\r\n`],
  ["a line feed alone after a chunk size", `${CHUNKED}2\nok\r\n`],
  ["a length in a trailer field", `${CHUNKED}0\r\ncontent-length: 2\r\n\r\n`],
  ["a folded trailer field", `${CHUNKED}0\r\n x\r\n\r\n`],
  ["a folded field", `${OK}x-a: b\r\n c\r\ncontent-length: 0\r\n\r\n`],
  ["a folded length", `${OK}content-length:\r\n 2\r\n\r\nok`],
  ["a blank before the first field", `${OK} x-a: b\r\n\r\n`],
  ["a blank before a colon", `${OK}content-length : 2\r\n\r\nok`],
  ["a line without a colon", `${OK}x-a\r\n\r\n`],
  ["a field without a name", `${OK}: a\r\n\r\n`],
  ["a name with a bracket", `${OK}x(a): b\r\n\r\n`],
  ["a name beyond ASCII", `${OK}x\xe9: b\r\n\r\n`],
  ["NUL in a name", `${OK}x\0: b\r\n\r\n`],
  ["NUL in a field", `${OK}x-a: \0\r\n\r\n`],
  ["DEL in a field", `${OK}x-a: \x7f\r\n\r\n`],
  ["NUL in the reason", "HTTP/1.1 200 O\0K\r\n\r\n"],
  ["a line feed alone", "HTTP/1.1 200 OK\ncontent-length: 0\n\n"],
  ["a line feed alone in a field", `${OK}x-a: b\nc: d\r\n\r\n`],
  ["a carriage return alone", `${OK}x-a: b\rc\r\n\r\n`],
  ["a carriage return alone at the end", `${OK}content-length: 0\r\n\rx`],
  ["two carriage returns", `${OK}content-length: 0\r\r\n\r\n`],
  ["an empty line before it", `\r\n${EMPTY}`],
  ["a blank before it", ` ${EMPTY}`],
  ["no slash", "HTTP 200 OK\r\n\r\n"],
  ["http in small letters", "http/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"],
  ["HTTP/0.9", "HTTP/0.9 200 OK\r\ncontent-length: 0\r\n\r\n"],
  ["HTTP/1.2", "HTTP/1.2 200 OK\r\ncontent-length: 0\r\n\r\n"],
  ["HTTP/1", "HTTP/1 200 OK\r\ncontent-length: 0\r\n\r\n"],
  ["HTTP/2", "HTTP/2 200\r\ncontent-length: 0\r\n\r\n"],
  ["HTTP/2.0", "HTTP/2.0 200 OK\r\ncontent-length: 0\r\n\r\n"],
  ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["settings of HTTP/2", "\0\0\0\x04\0\0\0\0\0"],
  ["two blanks before the status", "HTTP/1.1  200 OK\r\n\r\n"],
  ["no status", "HTTP/1.1\r\n\r\n"],
  ["a status of two digits", "HTTP/1.1 20 OK\r\n\r\n"],
  ["a status of four digits", "HTTP/1.1 2000 OK\r\n\r\n"],
  ["a status below 100", "HTTP/1.1 099 OK\r\n\r\n"],
  ["101", "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n"],
  ["101 without an upgrade", "HTTP/1.1 101 Switching Protocols\r\n\r\n"],
  ["a body behind 103", `HTTP/1.1 103 E\r\ncontent-length: 2\r\n\r\nok${EMPTY}`],
  ["chunks behind 103", `HTTP/1.1 103 E\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${EMPTY}`],
  ["103 that ends the connection", `HTTP/1.1 103 E\r\nconnection: close\r\n\r\n${EMPTY}`],
  ["too many 1xx answers", "HTTP/1.1 102 P\r\n\r\n".repeat(INTERIM_ANSWERS_MAX + 1)],
];

const OTHERS: readonly (readonly [expected: string, what: string, answer: string])[] = [
  ["headers_too_large", "a long field", `${OK}x-a: ${"x".repeat(ANSWER_HEAD_BYTES_MAX)}\r\n\r\n`],
  ["headers_too_large", "a long name", `${OK}${"x".repeat(ANSWER_HEAD_BYTES_MAX)}: a\r\n\r\n`],
  ["headers_too_large", "a long reason", `HTTP/1.1 200 ${"x".repeat(ANSWER_HEAD_BYTES_MAX)}\r\n\r\n`],
  ["headers_too_large 200", "long trailer fields", `${CHUNKED}0\r\n${"x: y\r\n".repeat(3_000)}\r\n`],
  [
    "headers_too_large 200",
    "long chunk extensions",
    `${CHUNKED}${`1;${"x".repeat(99)}\r\nx\r\n`.repeat(170)}0\r\n\r\n`,
  ],
  ["answer_too_large 200", "long chunks", `${CHUNKED}20000\r\n${"x".repeat(ANSWER_BYTES_MAX + 1)}`],
  ["answer_too_large 200", "a long body until the close", `${OK}\r\n${"x".repeat(ANSWER_BYTES_MAX + 1)}`],
  [
    "answer_too_large 200",
    "a long compressed body",
    `${OK}content-encoding: gzip\r\ncontent-length: 99999\r\n\r\n${"x".repeat(ANSWER_BYTES_MAX + 1)}`,
  ],
  ["closed_early", "a close before the status", "HTTP/1.1 2|"],
  ["closed_early", "a close in a field", `${OK}content-length: 2|`],
  ["closed_early", "a close before the empty line", `${OK}content-length: 0\r\n|`],
  ["closed_early", "a close after a 1xx answer", "HTTP/1.1 103 E\r\n\r\n|"],
  ["closed_early 200", "a close in the body", `${OK}content-length: 2\r\n\r\no|`],
  [
    "closed_early 200",
    "a close in the body of a connection that is not kept",
    `${OK}connection: close\r\ncontent-length: 2\r\n\r\no|`,
  ],
  ["closed_early 200", "a close in a chunk", `${CHUNKED}2\r\no|`],
  ["closed_early 200", "a close before the last chunk", `${CHUNKED}2\r\nok\r\n|`],
  ["closed_early 200", "a close in the trailer fields", `${CHUNKED}0\r\nx-a: b\r\n|`],
];

const statusOf = (answer: string) => /HTTP\/1\.[01] ([2-9]\d\d)/u.exec(answer)![1];

const CORPUS = [
  ...KEPT.map(([what, answer]) => [`answered ${statusOf(answer)}, kept`, what, answer] as const),
  ...CLOSED.map(([what, answer]) => [`answered ${statusOf(answer)}`, what, answer] as const),
  ...REFUSED.map(
    ([what, answer]) =>
      [answer.startsWith(CHUNKED) ? "protocol_error 200" : "protocol_error", what, answer] as const,
  ),
  ...OTHERS,
];

describe("an answer with", () => {
  for (const [expected, what, answer] of CORPUS) {
    test(`${what} ends in: ${expected}`, () => {
      const bytes = Buffer.from(answer.replace("|", ""), "latin1");
      const reading = checkCuts({ pieces: [bytes], isClosed: answer.includes("|") });
      const kept = reading.kind === "complete" && reading.isKept ? ", kept" : "";
      const seen = reading.kind === "complete" ? `answered ${reading.status}${kept}` : reading.kind;
      assert.equal(seen, expected.startsWith("answered") ? expected : "refused");
    });
  }

  for (const [announced, idleMs] of [
    ["", 60_000],
    ["keep-alive: timeout=5, max=100\r\n", 3_000],
    ["Keep-Alive: max=100,TIMEOUT=900\r\n", 120_000],
    ["keep-alive: timeout=90\r\nkeep-alive: timeout=7\r\n", 5_000],
    ["keep-alive: timeout=soon\r\n", 60_000],
    ["keep-alive: timeout=1\r\n", 0],
  ] as const) {
    test(`${JSON.stringify(announced)} leaves the connection idle for ${idleMs} ms`, () => {
      const bytes = Buffer.from(`${OK}${announced}content-length: 0\r\n\r\n`);
      const answer = createAnswer();
      readAnswer(answer, bytes, bytes.length);
      assert.equal(answer.keepAliveMs, idleMs);
    });
  }

  test("a line that goes on takes little more memory than its bytes", () => {
    const bytes = Buffer.from(`HTTP/1.1 200 ${"x".repeat(ANSWER_HEAD_BYTES_MAX - 100)}`);
    const before = process.memoryUsage().heapUsed;
    const open = Array.from({ length: 400 }, createAnswer);
    for (const answer of open) readAnswer(answer, bytes, bytes.length);
    assert.ok(process.memoryUsage().heapUsed - before < 8 * open.length * bytes.length);
    assert.ok(open.every(({ end }) => end === null));
  });

  test("a close in each of its places is never complete before its end", () => {
    for (const [, , answer] of CORPUS) {
      if (!KEPT.some(([, one]) => one === answer)) continue;
      for (let length = 0; length < answer.length; length += 1) {
        const pieces = [Buffer.from(answer.slice(0, length), "latin1")];
        assert.deepEqual(readByUs({ pieces, isClosed: true }), { kind: "refused" }, answer.slice(0, length));
      }
    }
  });
});

describe("over TLS", () => {
  /** Writes the answer at once, or a byte in each turn of the event loop. */
  async function write(socket: Socket, answer: string, isDripping: boolean): Promise<void> {
    const bytes = Buffer.from(answer.replace("|", ""), "latin1");
    if (!isDripping) socket.write(bytes);
    for (let at = 0; isDripping && at < bytes.length && socket.writable; at += 1) {
      socket.write(bytes.subarray(at, at + 1));
      await nextTurn();
    }
    if (answer.includes("|")) socket.end();
  }

  for (const isDripping of [false, true]) {
    test(`each of these answers ends the same, ${isDripping ? "byte by byte" : "at once"}`, async () => {
      let now = "";
      const { url } = await openReceiver((socket) => void write(socket, now, isDripping));
      for (const [expected, what, answer] of CORPUS) {
        if (isDripping && answer.length > 1_000) continue;
        // What lies behind an end counts when it is seen: byte by byte that is later.
        if (isDripping && what.includes("behind its end")) continue;
        now = answer;
        const from = testSender();
        const outcome = inShort(await post(from, url));
        assert.equal(`${outcome}${from.connectionCount() === 1 ? ", kept" : ""}`, expected, what);
        await from.close();
      }
    });
  }
});
