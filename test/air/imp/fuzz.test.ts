/** Any text: nothing throws, nothing takes long, and every result is well-formed. */
import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { adversarialTexts } from "../../../bench/setting/messages.ts";
import { inEdifact, inFreeText, inTypeB } from "../../../packages/simulator/src/airport/imp-envelope.ts";
import { impMessage } from "../../../packages/simulator/src/airport/imp-writer.ts";
import { readMessages, type ReadMessage } from "../../../src/products/air/sources/imp/read-messages.ts";
import { anyStatement } from "./any-statement.ts";
import { RECEIVED_MS } from "./reading.ts";
import { forAll, runs } from "../../support/runs.ts";
import { anyText } from "../../support/texts.ts";

const RUNS = { numRuns: runs(400) };

const message = fc.tuple(anyStatement, fc.integer({ min: 0, max: 3 })).map(([statement, envelope]) => {
  const text = impMessage({ type: "FSU", version: 14 }, statement);
  const carried = [
    text,
    inTypeB(text, { to: ["FRAFMLH"], from: "JFKFMLH" }, "151430"),
    inEdifact(text, "R"),
    inFreeText(text, "R"),
  ];
  return carried[envelope]!;
});

const SPLINTERS = [
  ..."/-'+:?.,= \r\n\u0001\u0002\u0003\0TPSDMKLAEN0159é\uD800".split(""),
  ...["FSU/14", "\r\n/", "UNH+", "020-"],
];

/** What any status, supplement or envelope may go on from. */
const BEGINNINGS = ["", "UNH+1+CIMFSU:14'", "UNH+1+CIMFSU:14'FTX+CIM+++FSU/14:020-12345675:"].concat(
  "RCS RCT TFD BKD DEP RCF DIS CRC OCI ULD OSI"
    .split(" ")
    .map((code) => `FSU/14\n020-12345675FRAJFK\n${code}/`),
);

const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  taken: fc.integer({ min: 0, max: 12 }),
  put: fc.array(fc.constantFrom(...SPLINTERS), { maxLength: 3 }).map((parts) => parts.join("")),
});

function changed(text: string, changes: readonly { at: number; taken: number; put: string }[]): string {
  return changes.reduce((now, { at, taken, put }) => {
    const index = Math.floor(at * now.length);
    return now.slice(0, index) + put + now.slice(index + taken);
  }, text);
}

/** What a reader of messages relies on. */
function keepsItsForm(text: string, messages: readonly ReadMessage[]): void {
  const lines = text.split(/\r\n|[\r\n]/);
  const isPlace = ({ line, column }: { line: number; column: number }) => {
    assert.ok(line >= 1 && line <= lines.length, `line ${line}`);
    assert.ok(column >= 1 && column <= lines[line - 1]!.length + 2, `column ${column} of line ${line}`);
  };
  assert.ok(messages.length > 0);
  for (const read of messages) {
    if (read.kind === "refused") {
      isPlace(read.problem);
      assert.ok(text.includes(read.text));
      continue;
    }
    read.problems.forEach(isPlace);
    assert.match(read.statement.awb, /^\d{11}$/);
    for (const event of read.statement.events) {
      for (const time of [event.at, event.departure, event.arrival]) {
        if (time === null) continue;
        const local = Date.parse(`${time.local}Z`);
        assert.equal(time.ms + (time.offsetMinutes ?? 0) * 60_000, local);
      }
      for (const count of [event.pieces, event.weightKg, event.volumeM3, event.totalPieces]) {
        assert.ok(count === null || (Number.isFinite(count) && count >= 0));
      }
    }
  }
}

test("messages with random changes are read as far as possible", () =>
  forAll(RUNS, message, fc.array(change, { minLength: 1, maxLength: 6 }), (text, changes) => {
    const sent = changed(text, changes);
    keepsItsForm(sent, readMessages(sent, RECEIVED_MS));
  }));

test("two messages spliced together do no harm", () =>
  forAll(RUNS, message, message, fc.double({ min: 0, max: 1, noNaN: true }), (first, second, at) => {
    const sent = first.slice(0, Math.floor(at * first.length)) + second;
    keepsItsForm(sent, readMessages(sent, RECEIVED_MS));
  }));

test("any text, and any bytes, are read or refused", () => {
  forAll(RUNS, anyText({ maxLength: 400 }), (text) => {
    keepsItsForm(text, readMessages(text, RECEIVED_MS));
    const lines = `FSU/14\n020-12345675\n${text}`;
    keepsItsForm(lines, readMessages(lines, RECEIVED_MS));
  });
  forAll(RUNS, fc.uint8Array({ maxLength: 400 }), (bytes) => {
    assert.ok(readMessages(bytes, RECEIVED_MS).length > 0);
  });
});

test("fragments of messages in any order are read or refused", () => {
  const words = ["DLV", "15NOV1430", "FRA", "T10K2", "UNT+", "UNA:+.? '", "FTX+CIM+++"];
  const splinter = fc.constantFrom(...SPLINTERS, ...words);
  forAll(
    RUNS,
    fc.constantFrom(...BEGINNINGS),
    fc.array(splinter, { maxLength: 60, size: "max" }),
    (begun, parts) => {
      const text = begun + parts.join("");
      keepsItsForm(text, readMessages(text, RECEIVED_MS));
    },
  );
});

test("texts made to take long are read or refused", () => {
  for (const text of Object.values(adversarialTexts(30 * 1_024)))
    keepsItsForm(text, readMessages(text, RECEIVED_MS));
});

test("no more than a thousand waybills of a text are read, and the rest is refused", () => {
  const waybill = "020-12345675\r\n";
  for (const text of [`FSU/14\r\n${waybill.repeat(1_200)}`, `FSU/14\r\n${waybill}`.repeat(1_200)]) {
    const messages = readMessages(text, RECEIVED_MS);
    assert.equal(messages.length, 1_001);
    const rest = messages.at(-1)!;
    assert.ok(rest.kind === "refused" && rest.text.split(waybill).length > 200);
  }
});
