/** `POST /v1/air/messages` (docs/airlines.md): messages in whatever carries them. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { inEdifact, inTypeB } from "../../packages/simulator/src/airport/imp-envelope.ts";
import { createReferenceIndex } from "../../src/freight/reference-index/reference-index.ts";
import { readExamples } from "../../src/http/openapi/examples.ts";
import { EXAMPLES } from "../../src/operator/document.ts";
import { pushedStatementsOf } from "../../src/products/air/sources/pushed-messages.ts";
import { ALL, movement, status, xfsu } from "../air/carried/xfsu.ts";
import { ofSuite } from "../support/suite.ts";
import { query } from "../support/database.ts";
import { OPERATOR_TOKEN, send, startService } from "../support/service.ts";

const arrival = (serial: string) =>
  `FSU/14\r\n176-${serial}DXBFRA/T10K250\r\nRCF/EK045/01NOV1230/FRA/T10K250\r\n`;
const ADDRESSES = { to: ["FRAFMLH"], from: "DXBFMEK" };
const inMail = (text: string) =>
  `From: a@kite.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=fsu.txt\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(text).toString("base64")}\r\n--b--\r\n`;

describe("messages that are carried in something else", () => {
  const service = ofSuite(() => startService());

  const push = (payload: string, type: string) =>
    send(service.ops, {
      method: "POST",
      url: "/v1/air/messages",
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, "content-type": type },
      payload,
    });
  const statementsOf = async (awb: string) => {
    const { clock, test: stored } = service;
    const index = createReferenceIndex({ ...stored, clock });
    return (await pushedStatementsOf({ ...stored, index, clock }, awb)).statements;
  };
  const isStored = async (text: string) => {
    const sql = `select from ${service.test.cells[0]!.schema}.air_messages where message = $1`;
    return (await query(service.test.address, sql, [Buffer.from(text)])).rows.length === 1;
  };

  test("each text that the document shows is accepted as its type", async () => {
    const { bodies = {} } = readExamples(EXAMPLES).routes["POST /v1/air/messages"]!;
    for (const [type, text] of Object.entries(bodies)) {
      if (typeof text !== "string") continue;
      const { status: code, body } = await push(text, type);
      assert.deepEqual([code, body.accepted, body.refused, body.problems], [202, 1, 0, []], type);
    }
  });

  test("one message is one statement in whatever it comes, and each text is kept byte for byte", async () => {
    const message = arrival("12345675");
    const carried: readonly (readonly [type: string, text: string])[] = [
      ["text/plain", message],
      ["text/plain", inTypeB(message, ADDRESSES, "011235")],
      ["application/edifact", inEdifact(message, "REF1")],
      ["application/json", JSON.stringify({ events: [{ raw: message }] })],
      ["application/json", JSON.stringify({ messages: [{ raw: message }] })],
      ["application/vnd.kite+json; charset=utf-8", JSON.stringify([message])],
      ["text/xml", `<m>${message}</m>`],
      ["message/rfc822", inMail(message)],
      ["text/plain", inMail(inTypeB(message, ADDRESSES, "011235"))],
    ];
    for (const [index, [type, text]] of carried.entries()) {
      const { body } = await push(text, type);
      const duplicates = index === 0 ? 0 : 1;
      assert.deepEqual(body, { accepted: 1, refused: 0, duplicates, problems: [] }, text);
      assert.ok(await isStored(text), text);
    }
    assert.equal((await statementsOf("17612345675")).length, 1);
  });

  test("the same in one request counts once, and what two envelopes of one kind say is said twice", async () => {
    const message = arrival("22222222");
    const first = inTypeB(message, ADDRESSES, "011235");
    const texts = [first, inMail(first), inEdifact(message, "R1"), inTypeB(message, ADDRESSES, "011300")];
    const { body } = await push(JSON.stringify({ messages: texts }), "application/json");
    assert.deepEqual([body.accepted, body.duplicates], [4, 2]);
    assert.equal((await statementsOf("17622222222")).length, 2);
    assert.equal((await push(inMail(texts[3]!), "message/rfc822")).body.duplicates, 1);
    assert.equal((await push(message, "text/plain")).body.duplicates, 1);
    assert.equal((await push(inTypeB(message, ADDRESSES, "011400"), "text/plain")).body.duplicates, 0);
  });

  test("an XFSU counts for its waybill, and is a duplicate when it comes again by e-mail", async () => {
    const xml = xfsu(
      status("RCF", ALL, movement({ flight: "LH400", to: "JFK", time: "2026-11-01T16:55:30-05:00" })),
    );
    assert.deepEqual((await push(xml, "application/xml")).body, {
      ...{ accepted: 1, refused: 0, duplicates: 0, problems: [] },
    });
    assert.equal(
      (await push(inMail(xml.replaceAll("rsm:", "a:").replace(":rsm", ":a")), "message/rfc822")).body
        .duplicates,
      1,
    );
    const [statement, ...others] = await statementsOf("02012345675");
    assert.deepEqual(others, []);
    const { at } = statement!.events[0]!;
    assert.deepEqual([at?.local, at?.offsetMinutes], ["2026-11-01T16:55:30", -300]);
  });

  test("a problem names the part that it is in, and a text without a message where it was looked for", async () => {
    const { body } = await push(inMail(arrival("12345674")), "message/rfc822");
    assert.deepEqual(body.problems, [
      {
        ...{ index: 0, part: "fsu.txt (text/plain)", line: 2, column: 12 },
        ...{ refused: true, message: "17612345674 has a wrong check digit" },
      },
    ]);
    const none = await push(JSON.stringify({ note: "FSU?" }), "application/json");
    assert.deepEqual([none.status, none.body.refused], [202, 1]);
    assert.match(none.body.problems[0].message, /^no line names .*, looked in \/note$/);
    const broken = await push("<m>FSU", "application/xml");
    assert.match(broken.body.problems[0].message, /^the XML cannot be read: /);
  });
});
