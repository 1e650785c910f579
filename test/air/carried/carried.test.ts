/** Messages in whatever carries them, each equal to what the bare message of Cargo-IMP gives. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isUtf8 } from "node:buffer";

import { MILESTONES, type WaybillStatement } from "../../../src/products/air/timeline/air-event.ts";
import { readOne, RECEIVED_MS } from "../imp/reading.ts";
import { readIn } from "./reading.ts";
import { STATUS_MESSAGES } from "./status-messages.ts";
import { CARRIED, MESSAGE } from "./wrapped.ts";
import { ALL, movement, status, xfsu } from "./xfsu.ts";
import type { AirlineAnswer } from "../../../src/products/air/sources/airline-answer.ts";
import { fsr, outcomeOf, withClient, type Reply } from "../with-client.ts";

const bareText = (lines: readonly string[], waybill = "020-12345675FRAJFK/T10K250.5") =>
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
    const plain = bareText(lines, imp);
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

test("sixty messages and more are carried", () =>
  assert.ok(STATUS_MESSAGES.length + CARRIED.length >= 60, `${STATUS_MESSAGES.length} + ${CARRIED.length}`));

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

const AWB = "02012345675";

async function answered(reply: Reply, fields: object = {}): Promise<AirlineAnswer> {
  let found: AirlineAnswer | null = null;
  await withClient(
    fsr(fields),
    () => reply,
    async ({ client, airline, clock }) => {
      clock.jump(RECEIVED_MS - clock.nowMs());
      found = await client.fetch(airline, AWB);
    },
    { prefixes: ["020"] },
  );
  return found!;
}

/** The statement, without when it was said. */
function saidBy(answer: AirlineAnswer): object {
  assert.ok(answer.kind === "statement", outcomeOf(answer));
  const { saidMs: _, ...statement } = answer.statement;
  return statement;
}

/** The HTTP port reads texts as UTF-8. */
const TEXTS = CARRIED.filter(({ sent }) => isUtf8(Buffer.from(sent)) && !sent.includes("\0"));

test("an answer gives what the bare message gives, whatever carries it", async () => {
  const bare = saidBy(await answered({ body: MESSAGE }));
  assert.ok(TEXTS.length >= 30);
  for (const { name, sent, isMail } of TEXTS) {
    const headers = { "content-type": isMail === true ? "message/rfc822" : "application/octet-stream" };
    assert.deepEqual(saidBy(await answered({ body: Buffer.from(sent).toString(), headers })), bare, name);
  }
});

test("Cargo-XML answers a status request, alone and at a path", async () => {
  for (const { name, xml, lines, imp = "020-12345675FRAJFK/T10K250.5" } of STATUS_MESSAGES) {
    const bare = saidBy(await answered({ body: ["FSU/14", imp, ...lines].join("\r\n") }));
    assert.deepEqual(saidBy(await answered({ body: xml })), bare, name);
  }
  const [{ xml }] = STATUS_MESSAGES as readonly [(typeof STATUS_MESSAGES)[number]];
  const alone = saidBy(await answered({ body: xml }));
  const inJson = { answer: { format: "json", at: "data.message" } };
  assert.deepEqual(saidBy(await answered({ body: { data: { message: xml } } }, inJson)), alone);
  const inXml = { answer: { format: "xml", at: "Message" } };
  const bare = xml.replace(/^<\?xml[^>]*\?>\s*/, "");
  assert.deepEqual(saidBy(await answered({ body: `<r><Message>${bare}</Message></r>` }, inXml)), alone);
});

test("one message in the text and in an attachment of an e-mail is one", async () => {
  const mail = [
    "From: a@kite.example",
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    ...[
      "--b",
      "",
      MESSAGE,
      "--b",
      'Content-Disposition: attachment; filename="fsu.txt"',
      "",
      MESSAGE,
      "--b--",
    ],
  ].join("\r\n");
  assert.deepEqual(saidBy(await answered({ body: mail })), saidBy(await answered({ body: MESSAGE })));
});

test("what is wrong in a carried answer is reported with the place that it stands at", async () => {
  const answer = await answered({ body: { items: [{ text: `${MESSAGE}XYZ/WHATEVER\r\n` }] } });
  assert.ok(answer.kind === "statement");
  assert.match(answer.problems.join(), /^\/items\/0\/text, line 5, column \d+: /);
});

test("an error message says that the waybill is not known, in JSON as well", async () => {
  const error = "FNA/1\r\nACK/NO RECORD FOUND\r\nFSR\r\n020-12345675\r\n";
  for (const body of [error, { message: error }, `<m>${error}</m>`]) {
    assert.equal(outcomeOf(await answered({ body })), "not_found");
  }
  assert.equal(outcomeOf(await answered({ body: { status: "maintenance" } })), "not_fsa");
});
