/** No bytes make the reader throw, or take long. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { adversarialTexts } from "../../../bench/setting/messages.ts";
import { readIn } from "./reading.ts";
import { STATUS_MESSAGES } from "./status-messages.ts";
import { CARRIED } from "./wrapped.ts";
import { runs } from "../../support/runs.ts";

const RUNS = { numRuns: runs(300) };

const SENT = [...STATUS_MESSAGES.map(({ xml }) => xml), ...CARRIED.map(({ sent }) => sent)].map((sent) =>
  Buffer.from(sent),
);

const SPLINTERS = [
  ..."<>&;/\"'{}[]:,\\=-+\r\n\0\u0001 ".split(""),
  ...[
    "<![CDATA[",
    "]]>",
    "<!--",
    "<!DOCTYPE a [",
    "--b1\r\n",
    "--b1--",
    "FSU/14\n020-12345675\n",
    "\xff\xfe",
    "=\r\n",
  ],
  ...[
    "Content-Type: multipart/mixed; boundary=b1\r\n\r\n",
    "Content-Type: message/rfc822\r\n\r\n",
    "</ram:ID>",
  ],
];

const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  taken: fc.integer({ min: 0, max: 40 }),
  put: fc.array(fc.constantFrom(...SPLINTERS), { maxLength: 3 }).map((parts) => parts.join("")),
});

async function keepsItsForm(sent: Buffer, isMail: boolean): Promise<void> {
  const read = await readIn(sent, isMail);
  assert.ok(read.length > 0);
  for (const { message } of read) {
    const problems = message.kind === "refused" ? [message.problem] : message.problems;
    for (const { line, column, message: text } of problems) {
      assert.ok(line >= 1 && column >= 1 && text.length > 0, JSON.stringify({ line, column, text }));
    }
    if (message.kind === "message") assert.match(message.statement.awb, /^\d{11}$/);
  }
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
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.boolean(), (bytes, isMail) =>
      keepsItsForm(Buffer.from(bytes), isMail),
    ),
    RUNS,
  );
  const fragments = fc.array(fc.constantFrom(...SPLINTERS), { maxLength: 80, size: "max" });
  const beginnings = fc.constantFrom(
    "",
    "<a>",
    "{",
    "[",
    "From: a\r\nMIME-Version: 1.0\r\n",
    '<StatusMessage xmlns="iata:statusmessage:1">',
  );
  await fc.assert(
    fc.asyncProperty(beginnings, fragments, fc.boolean(), (begun, parts, isMail) =>
      keepsItsForm(Buffer.from(begun + parts.join(""), "latin1"), isMail),
    ),
    RUNS,
  );
});

/** A megabyte of each, which is the most that is read of a text, and some of the four that a request may have. */
const CHARS = 999_900;
const filled = (unit: string, from = "", to = "") =>
  from + unit.repeat(Math.floor((CHARS - from.length - to.length) / unit.length)) + to;
const MAIL = "From: a@b\r\nMIME-Version: 1.0\r\n";
const SLOW: Readonly<Record<string, string>> = {
  ...adversarialTexts(CHARS),
  "open elements": filled("<a>"),
  siblings: filled("<b/>", "<a>FSU", "</a>"),
  attributes: `<a ${Array.from({ length: 90_000 }, (_, index) => `a${index}=""`).join(" ")}/>`,
  references: filled("&lt;", "<a>FSU", "</a>"),
  sections: filled("<![CDATA[<]]>", "<a>", "</a>"),
  comments: filled("- ", "<a><!--"),
  "half a tag": filled("<a "),
  statuses: filled("<ReportedStatus/>", "<StatusMessage><MessageHeaderDocument/><MasterConsignment>"),
  "nested arrays": filled("["),
  "arrays that end": `${"[".repeat(400_000)}${"]".repeat(400_000)}`,
  strings: filled('"FSU",', "[", '""]'),
  escapes: filled("\\n", '["FSU', '"]'),
  "headers of an e-mail": filled("X: y\r\n", MAIL),
  "folded headers": filled(" a\r\n", `${MAIL}Subject: a\r\n`),
  boundaries: filled("--b\r\n\r\nx\r\n", `${MAIL}Content-Type: multipart/mixed; boundary=b\r\n\r\n`),
  "blank lines": filled("\r\n", `${MAIL}\r\n`),
  "short lines": filled("x\r\n", `${MAIL}\r\n`),
  "as many lines as are read": `${MAIL}\r\n${"\r\n".repeat(19_900)}${`${"x".repeat(66)}\r\n`.repeat(40_000)}`,
  "as many parts as are read": `${MAIL}Content-Type: multipart/mixed; boundary=b\r\n\r\n${`--b\r\n\r\n${"x\r\n".repeat(15)}`.repeat(990)}`,
  "e-mails in each other": filled("Content-Type: message/rfc822\r\n\r\n", MAIL),
  "HTML in an e-mail": filled("<p>FSU", `${MAIL}Content-Type: text/html\r\n\r\n`),
  "half of HTML": filled("<br ", `${MAIL}Content-Type: text/html\r\n\r\nFSU`),
  "quotes in an e-mail": filled("> > \t", `${MAIL}\r\nFSU\r\n`),
  "Base64 in an e-mail": filled("QUJD", `${MAIL}Content-Transfer-Encoding: base64\r\n\r\n`),
};

for (const [name, text] of Object.entries(SLOW)) {
  test(`a megabyte of ${name} takes less than two seconds of the processor`, async () => {
    const before = process.cpuUsage();
    await keepsItsForm(Buffer.from(text), false);
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1_000;
    assert.ok(ms < 2_000, `${ms} ms`);
  });
}
