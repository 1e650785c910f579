/** Type-B and EDIFACT envelopes, several messages in a text, and texts without any. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { inEdifact, inFreeText, inTypeB } from "../../../packages/simulator/src/airport/imp-envelope.ts";
import { readMessages } from "../../../src/products/air/sources/imp/read-messages.ts";
import { RECEIVED_MS, readOne, refusedOne } from "./reading.ts";

const BODY =
  "FSU/14\r\n020-12345675FRAJFK/T10K250\r\nDLV/15NOV1430/JFK/T10K250/O'HARA: SONS\r\nOSI/WHERE? JFK+\r\n";
const ADDRESSES = { to: ["FRAFMLH", "JFKFMAA"], from: "JFKFMLH" };

const waybillsIn = (text: string | Uint8Array) =>
  readMessages(text, RECEIVED_MS).map((message) =>
    message.kind === "message" ? message.statement.awb : message.problem.message,
  );

test("a message is the same in every envelope, and with every end of line", () => {
  const plain = readOne(BODY);
  assert.deepEqual(plain.problems, []);
  assert.equal(plain.statement.events[0]?.party, "O'HARA: SONS");
  const carried = {
    typeB: inTypeB(BODY, ADDRESSES, "151430"),
    edifact: inEdifact(BODY, "REF1"),
    freeText: inFreeText(BODY, "REF1"),
    oneLine: inEdifact(BODY.replace("O'HARA", "O?'HARA").replaceAll("\r\n", "'"), "REF1"),
    terminated: inEdifact(BODY.replaceAll("\r\n", "'\r\n"), "REF1"),
    wrapped: inFreeText(BODY, "REF1").replaceAll("'", (mark, at, all: string) =>
      all[at - 1] === "?" ? mark : "'\r\n",
    ),
    edifactInTypeB: inTypeB(inEdifact(BODY, "REF1"), ADDRESSES, "151430"),
    una: `UNA:+.? '${inFreeText(BODY, "REF1")}`,
    otherMarks: `UNA:*.! ~${inFreeText(BODY, "R").replaceAll("+", "*").replaceAll("'", "~").replaceAll("?*", "+").replaceAll("?~", "'").replaceAll("??", "?").replaceAll("?:", "!:")}`,
    lf: BODY.replaceAll("\r\n", "\n"),
    cr: BODY.replaceAll("\r\n", "\r"),
    blanks: BODY.replaceAll("\r\n", "  \t\r\r\n\r\n"),
    marked: `\uFEFF${BODY}`,
    noEnd: BODY.trimEnd(),
    nul: `\0\0${BODY}\0`,
  };
  for (const [name, text] of Object.entries(carried)) {
    const { statement, problems, version } = readOne(text);
    assert.deepEqual(
      { statement, problems, version },
      { statement: plain.statement, problems: [], version: 14 },
      name,
    );
  }
});

test("bytes are read as UTF-8, or else as Latin-1", () => {
  const text = "FSU/14\n020-12345675FRAJFK/T10\nDLV/15NOV1430/JFK/T10/Müller & Söhne";
  assert.equal(readOne(text).statement.events[0]?.party, "Müller & Söhne");
  for (const encoding of ["utf8", "latin1"] as const) {
    const [message] = readMessages(Buffer.from(text, encoding), RECEIVED_MS);
    assert.ok(message?.kind === "message");
    assert.equal(message.statement.events[0]?.party, "Müller & Söhne");
  }
});

test("several messages of a text are read, with or without envelopes between them", () => {
  const second = BODY.replace("020-12345675", "176-12345675");
  const both = ["02012345675", "17612345675"];
  assert.deepEqual(waybillsIn(BODY + second), both);
  assert.deepEqual(
    waybillsIn(inTypeB(BODY, ADDRESSES, "151430") + inTypeB(second, ADDRESSES, "151431")),
    both,
  );
  assert.deepEqual(waybillsIn(`${BODY}\r\nQD FRAFMLH\r\n.JFKFMAA 151430\r\n${second}`), both);
  assert.deepEqual(waybillsIn(`ZCZC 1\r\n${BODY}NNNN\r\nZCZC 2\r\n${second}NNNN\r\n`), both);
  assert.deepEqual(waybillsIn(inEdifact(BODY, "R1") + inFreeText(second, "R2")), both);
  assert.deepEqual(waybillsIn(`${inEdifact(BODY, "R1")}\r\n${second}`), both);
  const together = `UNB+IATA:1+A+B+261115:1430+I'UNH+1+CIMFSU:14'${BODY}'UNT+3+1'UNH+2+CIMFSU:14'${second}'UNT+3+2'UNZ+2+I'`;
  assert.deepEqual(waybillsIn(together), both);
});

test("text before and between messages is skipped, and ends the message before it", () => {
  const [message, ...more] = readMessages(
    `=HEADER\nRCV,2026/11/15 14:30\n=TEXT\n${BODY}=PRIORITY\nQD\n=ORIGIN\nJFKFMLH\n`,
    RECEIVED_MS,
  );
  assert.deepEqual(more, []);
  assert.ok(message?.kind === "message");
  assert.deepEqual(message.problems, []);
});

test("an answer may report several waybills", () => {
  const text =
    "FSA/15\r\n020-12345675FRAJFK/T1\r\nTRM/KL/AMS/T1\r\n176-12345675\r\nOSI/NO RECORD FOUND\r\n020-1\r\nTRM/KL/AMS/T1\r\n";
  const [first, second, third] = readMessages(text, RECEIVED_MS);
  assert.ok(first?.kind === "message" && second?.kind === "message" && third?.kind === "refused");
  assert.deepEqual([first.type, first.version, first.statement.events.length], ["FSA", 15, 1]);
  assert.deepEqual(second.statement.events, []);
  assert.deepEqual(second.remarks, ["NO RECORD FOUND"]);
  assert.deepEqual([third.problem.line, third.text], [6, "020-1\r\nTRM/KL/AMS/T1"]);
});

test("a message that does not name its type has that of its EDIFACT header", () => {
  const { type, version } = readOne("UNH+1+CIMFSA:13'020-12345675FRAJFK/T1'TRM/KL/AMS/T1'UNT+3+1'");
  assert.deepEqual([type, version], ["FSA", 13]);
});

test("messages of other types are refused, and the others are read", () => {
  const rejection = "FNA/1\r\nACK/NO SUCH AWB\r\nFSR/2\r\n020-12345675\r\n";
  assert.deepEqual(waybillsIn(`FNA/1\r\nACK/NO SUCH AWB\r\n${BODY}`), [
    'a message of type "FNA", and only FSU and FSA are read',
    "02012345675",
  ]);
  assert.equal(waybillsIn(rejection).length, 2);
  const empty = refusedOne("UNB+A+B'UNH+1+CIMFMA:1'UNT+2+1'UNZ+1+1'");
  assert.deepEqual(empty.problem, {
    line: 1,
    column: 9,
    message: 'a message of type "FMA", and only FSU and FSA are read',
  });
});

test("a text without a message is refused as a whole", () => {
  for (const text of ["", "  \r\n", "<html>502 Bad Gateway</html>", "020-12345675FRAJFK/T1", "FSU14"]) {
    const refused = refusedOne(text);
    assert.deepEqual(refused.text, text);
    assert.deepEqual([refused.problem.line, refused.problem.column], [1, 1]);
  }
});

test("a text that is longer than any is refused", () => {
  assert.match(refusedOne(BODY + " ".repeat(1_000_000)).problem.message, /more than 1000000 characters/);
});

test("versions of other years are read and reported", () => {
  for (const [head, told] of [
    ["FSU/9", "version 9"],
    ["FSU/16", "version 16"],
    ["FSU", "no version"],
  ]) {
    const { statement, problems } = readOne(`${head}\r\n020-12345675FRAJFK/T1\r\nTRM/KL/AMS/T1`);
    assert.equal(statement.events.length, 1);
    const message = `${told}: the message is read as 12 to 15 are`;
    assert.deepEqual(problems, [{ line: 1, column: 1, message }]);
  }
});

test("lines and columns are those of the text received, in every envelope", () => {
  const wrong = "FSU/14\r\n020-12345675FRAJFK/T1\r\nOSI/A?B: C'D\r\nDLV/15NOV1430/JFK/TX\r\nXYZ/1\r\n";
  const texts = [
    wrong,
    inTypeB(wrong, ADDRESSES, "151430"),
    inEdifact(wrong, "R"),
    inFreeText(wrong, "R"),
    inFreeText(wrong.replace("DLV/", "DLV//'/:/"), "R"),
  ];
  for (const text of texts) {
    const { problems } = readOne(text);
    const lines = text.split(/\r\n|[\r\n]/);
    const found = problems.map(({ line, column }) => lines[line - 1]!.slice(column - 1));
    assert.equal(problems.length > 1, true);
    assert.match(found.at(-1)!, /^XYZ/);
    assert.match(found[0]!, /^(?:TX|')/);
  }
});
