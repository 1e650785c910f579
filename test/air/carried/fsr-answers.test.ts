/** Answers to status requests are read as pushed messages are, whatever carries them. */
import assert from "node:assert/strict";
import { isUtf8 } from "node:buffer";
import { test } from "node:test";

import type { AirlineAnswer } from "../../../src/products/air/sources/airline-answer.ts";
import { fsr, outcomeOf, withClient, type Reply } from "../with-client.ts";
import { RECEIVED_MS } from "../imp/reading.ts";
import { STATUS_MESSAGES } from "./status-messages.ts";
import { CARRIED, MESSAGE } from "./wrapped.ts";

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
