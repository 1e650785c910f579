/** Messages in whatever carries them, each equal to what the bare message of Cargo-IMP gives. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { MILESTONES, type WaybillStatement } from "../../../src/products/air/timeline/air-event.ts";
import { readOne } from "../imp/reading.ts";
import { readIn } from "./reading.ts";
import { STATUS_MESSAGES } from "./status-messages.ts";
import { CARRIED, MESSAGE } from "./wrapped.ts";
import { ALL, movement, status, xfsu } from "./xfsu.ts";

const bare = (lines: readonly string[], waybill = "020-12345675FRAJFK/T10K250.5") =>
  readOne(["FSU/14", waybill, ...lines].join("\r\n"));

/** Records compare events as text, so that the order of names counts. */
function isSame(one: WaybillStatement | undefined, other: WaybillStatement): void {
  assert.deepEqual(one, other);
  assert.equal(JSON.stringify(one?.events), JSON.stringify(other.events));
}

for (const { name, lines, xml, imp } of STATUS_MESSAGES) {
  test(`XFSU: ${name}`, async () => {
    const [told, ...more] = await readIn(xml);
    const message = told?.message;
    assert.ok(message?.kind === "message" && more.length === 0, JSON.stringify(told));
    assert.deepEqual(message.problems, []);
    assert.deepEqual([message.type, message.version, told?.part], ["XFSU", 3, null]);
    const plain = bare(lines, imp);
    assert.deepEqual(plain.problems, []);
    isSame(message.statement, plain.statement);
  });
}

test("every status code has an XFSU of its own", () => {
  const codes = new Set(STATUS_MESSAGES.flatMap(({ lines }) => lines.map((line) => line.slice(0, 3))));
  assert.deepEqual(
    Object.keys(MILESTONES).filter((code) => !codes.has(code)),
    [],
  );
});

for (const { name, sent, isMail = false, part = null } of CARRIED) {
  test(`carried: ${name}`, async () => {
    const plain = readOne(MESSAGE);
    const [told, ...more] = await readIn(sent, isMail);
    const message = told?.message;
    assert.ok(message?.kind === "message" && more.length === 0, JSON.stringify([told, ...more]));
    isSame(message.statement, plain.statement);
    assert.deepEqual([message.problems, message.version, told?.part], [plain.problems, 14, part]);
    assert.equal(message.id.slice(0, 16), plain.id, "it is the same message");
  });
}

test("sixty messages and more are carried", () => {
  assert.ok(STATUS_MESSAGES.length + CARRIED.length >= 60, `${STATUS_MESSAGES.length} + ${CARRIED.length}`);
});

test("spec 6.4: awb_available: in an XFSU, what happens at the end of a flight is there, and a departure has its actual time", async () => {
  const leg = { flight: "LH400", from: "FRA", to: "JFK", time: "2026-11-15T18:05:00" };
  const there = ["NFD", "AWD", "DLV", "CCD", "DIS"].map((code) => status(code, ALL, movement(leg)));
  const departs = { ...leg, time: "2026-11-15T10:42:00", departs: "2026-11-15T10:30:00", departsIs: "S" };
  const [told] = await readIn(xfsu([...there, status("DEP", ALL, movement(departs))].join("")));
  assert.ok(told?.message.kind === "message");
  assert.deepEqual(
    told.message.statement.events.map(
      ({ code, station, at }) => `${code} ${station} ${at?.local} ${at?.timeZone}`,
    ),
    [
      ...["NFD", "AWD", "DLV", "CCD", "DIS"].map(
        (code) => `${code} JFK 2026-11-15T18:05:00 America/New_York`,
      ),
      "DEP FRA 2026-11-15T10:42:00 Europe/Berlin",
    ],
  );
});
