/** No bytes make the reader throw, or take long. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import type { CarriedMessage } from "../../../src/products/air/sources/carried/read-carried.ts";
import { readIn } from "./reading.ts";
import { STATUS_MESSAGES } from "./status-messages.ts";
import { CARRIED } from "./wrapped.ts";
import { runs } from "../../support/runs.ts";
import { SLOW_TEXTS } from "../slow-texts.ts";

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
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...SENT), changes, fc.boolean(), async (sent, made, isMail) => {
      const changed = made.reduce((now, { at, taken, put }) => {
        const index = Math.floor(at * now.length);
        return Buffer.concat([
          now.subarray(0, index),
          Buffer.from(put, "latin1"),
          now.subarray(index + taken),
        ]);
      }, sent);
      await keepsItsForm(changed, isMail);
    }),
    RUNS,
  );
});

test("any bytes, and fragments in any order, are read or refused", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.boolean(), async (bytes, isMail) => {
      await keepsItsForm(Buffer.from(bytes), isMail);
    }),
    RUNS,
  );
  const fragments = fc.array(fc.constantFrom(...SPLINTERS), { maxLength: 80, size: "max" });
  const mail = "From: a\r\nMIME-Version: 1.0\r\n";
  const xfsu = '<StatusMessage xmlns="iata:statusmessage:1">';
  const beginnings = fc.constantFrom("", "<a>", "{", "[", mail, xfsu);
  await fc.assert(
    fc.asyncProperty(beginnings, fragments, fc.boolean(), async (begun, parts, isMail) => {
      await keepsItsForm(Buffer.from(begun + parts.join(""), "latin1"), isMail);
    }),
    RUNS,
  );
});

/** The faults suite has ten times as much, and the time that it takes. */
const CHARS = 99_990;

test("texts made to take long are read or refused", async () => {
  for (const [name, text] of Object.entries(SLOW_TEXTS)) {
    const read = await keepsItsForm(Buffer.from(text.slice(0, CHARS)), false);
    assert.ok(read.length > 0, name);
  }
});
