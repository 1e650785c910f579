/** No bytes make the reader throw, or take long. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import type { CarriedMessage } from "../../../src/products/air/sources/carried/read-carried.ts";
import { readIn } from "./reading.ts";
import { STATUS_MESSAGES } from "./status-messages.ts";
import { CARRIED } from "./wrapped.ts";
import { forAllAsync, runs } from "../../support/runs.ts";
import {
  SLOW_TEXTS,
  ACCEPTED_MAILS,
  BASE64_LINE,
  MAIL,
  MULTIPART,
  PLAIN_LINE,
  REFUSED_MAILS,
} from "../slow-texts.ts";
import { excessOf } from "../../../src/products/air/sources/carried/mail-lines.ts";

const RUNS = { numRuns: runs(300) };

const SENT = [...STATUS_MESSAGES.map(({ xml }) => xml), ...CARRIED.map(({ sent }) => sent)].map((sent) =>
  Buffer.from(sent),
);

const SPLINTERS = [
  ..."<>&;/\"'{}[]:,\\=-+\r\n\0\u0001 ".split(""),
  ...["<![CDATA[", "]]>", "<!--", "<!DOCTYPE a [", "</ram:ID>", "\xff\xfe", "=\r\n"],
  ...["--b1\r\n", "--b1--", "FSU/14\n020-12345675\n", "Content-Type: message/rfc822\r\n\r\n"],
  "Content-Type: multipart/mixed; boundary=b1\r\n\r\n",
];

const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  taken: fc.integer({ min: 0, max: 40 }),
  put: fc.array(fc.constantFrom(...SPLINTERS), { maxLength: 3 }).map((parts) => parts.join("")),
});

async function keepsItsForm(sent: Buffer, isMail: boolean): Promise<readonly CarriedMessage[]> {
  const read = await readIn(sent, isMail);
  assert.ok(read.length > 0);
  for (const { message } of read) {
    const problems = message.kind === "refused" ? [message.problem] : message.problems;
    for (const { line, column, message: text } of problems) {
      assert.ok(line >= 1 && column >= 1 && text.length > 0, JSON.stringify({ line, column, text }));
    }
    if (message.kind === "message") assert.match(message.statement.awb, /^\d{11}$/);
  }
  return read;
}

test("what is carried, changed at random, is read as far as possible", async () => {
  const changes = fc.array(change, { minLength: 1, maxLength: 6 });
  await forAllAsync(RUNS, fc.constantFrom(...SENT), changes, fc.boolean(), async (sent, made, isMail) => {
    const changed = made.reduce((now, { at, taken, put }) => {
      const index = Math.floor(at * now.length);
      return Buffer.concat([now.subarray(0, index), Buffer.from(put, "latin1"), now.subarray(index + taken)]);
    }, sent);
    await keepsItsForm(changed, isMail);
  });
});

test("any bytes, and fragments in any order, are read or refused", async () => {
  await forAllAsync(RUNS, fc.uint8Array({ maxLength: 400 }), fc.boolean(), async (bytes, isMail) => {
    await keepsItsForm(Buffer.from(bytes), isMail);
  });
  const fragments = fc.array(fc.constantFrom(...SPLINTERS), { maxLength: 80, size: "max" });
  const mail = "From: a\r\nMIME-Version: 1.0\r\n";
  const xfsu = '<StatusMessage xmlns="iata:statusmessage:1">';
  const beginnings = fc.constantFrom("", "<a>", "{", "[", mail, xfsu);
  await forAllAsync(RUNS, beginnings, fragments, fc.boolean(), async (begun, parts, isMail) => {
    await keepsItsForm(Buffer.from(begun + parts.join(""), "latin1"), isMail);
  });
});

/** The faults suite has ten times as much, and the time that it takes. */
const CHARS = 99_990;

test("texts made to take long are read or refused", async () => {
  for (const [name, text] of Object.entries(SLOW_TEXTS)) {
    const read = await keepsItsForm(Buffer.from(text.slice(0, CHARS)), false);
    assert.ok(read.length > 0, name);
  }
});

const isRefused = (mail: string): boolean => excessOf(Buffer.from(MAIL + mail)) !== null;

test("the largest e-mails are read, and those of more lines are refused", () => {
  for (const [name, mail] of Object.entries(ACCEPTED_MAILS)) assert.ok(!isRefused(mail), name);
  for (const [name, mail] of Object.entries(REFUSED_MAILS)) assert.ok(isRefused(mail), name);
});

test("a line that stands as it is counts as five, wherever its part is", () => {
  const plain = PLAIN_LINE.repeat(15_000);
  const encoded = BASE64_LINE.repeat(15_000);
  const base64 = "Content-Transfer-Encoding: Base64\r\n\r\n";
  const inner = MULTIPART('"outer b"').replaceAll('--"outer b"', "--outer b") + MULTIPART("inner");
  assert.ok(!isRefused(base64 + encoded));
  assert.ok(!isRefused(`${inner}${base64}${encoded}--inner--\r\n--outer b--\r\n`));
  assert.ok(!isRefused(`content-type: text/plain;\r\n charset=utf-8\r\n${base64}${encoded}`));
  const slow = {
    "no encoding": `\r\n${plain}`,
    "another encoding": `Content-Transfer-Encoding: 8bit\r\n\r\n${plain}`,
    "an encoding of the body's own": `\r\n${base64}${plain}`,
    "two encodings": `Content-Transfer-Encoding: 8bit\r\n${base64}${plain}`,
    "a boundary that is not the mail's": `${MULTIPART("b")}\r\n--c\r\n${base64}${plain}`,
    "after the end of the parts": `${MULTIPART("b")}${base64}--b--\r\n${plain}`,
    "a part after one that is encoded": `${MULTIPART("b")}${base64}QUJD\r\n--b\r\n\r\n${plain}`,
    "a mail in a mail": `Content-Type: message/rfc822\r\n${base64}${plain}`,
    "an encoded whole of parts": `Content-Type: multipart/mixed; boundary=b\r\n${base64}--b\r\n\r\n${plain}`,
  };
  for (const [name, mail] of Object.entries(slow)) assert.ok(isRefused(mail), name);
});
