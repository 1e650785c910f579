/** `POST /v1/air/messages` (docs/airlines.md): what airlines push is kept, read or not. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createReferenceIndex } from "../../src/freight/reference-index/reference-index.ts";
import { pushedStatementsOf, MESSAGES_KEPT_MS } from "../../src/products/air/sources/pushed-messages.ts";
import { assertRefused } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import { query } from "../support/database.ts";
import { sendAsOperator, OPERATOR_TOKEN, send, startService } from "../support/service.ts";
import type { Cells } from "../../src/store/cell.ts";
import { unwatchedLoops } from "../support/loops.ts";
import { columns } from "../support/columns.ts";
import { createRetention } from "../../src/freight/work/retention.ts";
import { airMessagePrune } from "../../src/products/air/store/air-messages.sql.ts";

/** The clock of the tests stands in November 2026. */
const arrival = (serial: string, day = "01NOV") =>
  `FSU/14\r\n176-${serial}DXBFRA/T10K250\r\nRCF/EK045/${day}1230/FRA/T10K250\r\n`;
const AWB = "17612345675";

describe("messages that airlines push", () => {
  const service = ofSuite(() => startService());

  const push = (payload: string | Buffer, type: string | null = "text/plain") =>
    send(service.ops, {
      method: "POST",
      url: "/v1/air/messages",
      headers: {
        authorization: `Bearer ${OPERATOR_TOKEN}`,
        ...(type === null ? {} : { "content-type": type }),
      },
      payload,
    });
  const pushAll = (messages: unknown) => sendAsOperator(service, "POST", "/v1/air/messages", { messages });
  const statementsOf = async (awb: string) => {
    const { clock, test: stored } = service;
    const index = createReferenceIndex({ ...stored, clock });
    return (await pushedStatementsOf({ ...stored, index, clock }, awb)).statements;
  };

  test("a message is accepted as text, and counts for its waybill from then on", async () => {
    const { status, body } = await push(arrival("12345675"));
    assert.deepEqual([status, body], [202, { accepted: 1, refused: 0, duplicates: 0, problems: [] }]);
    const [statement, ...others] = await statementsOf(AWB);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [statement?.origin, statement?.destination, statement?.pieces, statement?.weightKg],
      ["DXB", "FRA", 10, 250],
    );
    const [event] = statement?.events ?? [];
    assert.deepEqual([event?.code, event?.station, event?.at?.local], ["RCF", "FRA", "2026-11-01T12:30:00"]);
    assert.deepEqual(await statementsOf("17612345686"), []);
  });

  test("a body of another or no content type is refused, and the message says how to send it", async () => {
    for (const type of ["application/x-www-form-urlencoded", "application/octet-stream", null]) {
      const { status, body } = await push(arrival("12345675"), type);
      assert.equal(status, 415, String(type));
      assert.match(body.error.message, /^send a message with content-type: text\/plain, or several/);
    }
    assert.equal((await push("", "application/octet-stream")).status, 400);
  });

  test("an unreadable message is kept and reported by line and column, and affects no other", async () => {
    const broken = "FSU/14\r\n176-ABCDEFGH\r\nRCF/nonsense\r\n";
    const { status, body } = await pushAll([broken, arrival("22222222"), "good morning"]);
    assert.deepEqual([status, body.accepted, body.refused, body.duplicates], [202, 1, 2, 0]);
    assert.equal((await statementsOf("17622222222")).length, 1);
    const places = columns(body.problems, "index", "line", "refused");
    assert.deepEqual(places, [
      [0, 2, true],
      [2, 1, true],
    ]);
    for (const { column, message } of body.problems) assert.ok(column >= 1 && message.length > 10);
    const { rows } = await query(
      service.test.address,
      `select message, problem from ${service.test.cells[0]!.schema}.air_messages where problem is not null order by message`,
    );
    assert.deepEqual(
      rows.map((row) => row.message.toString()),
      [broken, "good morning"],
    );
    assert.match(rows[0].problem, /^line 2, column \d+: /);
  });

  test("bytes that no text has are kept as they came", async () => {
    const bytes = Buffer.from([0, 255, 254, 10, 0]);
    const { status, body } = await push(bytes);
    assert.deepEqual([status, body.refused], [202, 1]);
    const { rows } = await query(
      service.test.address,
      `select from ${service.test.cells[0]!.schema}.air_messages where message = $1`,
      [bytes],
    );
    assert.equal(rows.length, 1);
  });

  test("two pushes of the same texts at once keep each text once, and neither fails", async () => {
    const texts = Array.from({ length: 50 }, (_, index) => 7_000_000 + index).map((n) =>
      arrival(`${n}${n % 7}`),
    );
    const answers = await Promise.all([pushAll(texts), pushAll(texts.toReversed()), pushAll(texts)]);
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.accepted]),
      Array.from({ length: 3 }, () => [202, 50]),
    );
    assert.equal(
      answers.reduce((sum, { body }) => sum + body.duplicates, 0),
      100,
    );
    assert.equal((await statementsOf(`1767000000${7_000_000 % 7}`)).length, 1);
  });

  test("several messages of one waybill are read in the order in which they came", async () => {
    await push(arrival("44444444", "31OCT"));
    await service.clock.advance(1_000);
    await push(arrival("44444444", "01NOV"));
    const days = (await statementsOf("17644444444")).map(({ events }) => events[0]?.at?.local.slice(0, 10));
    assert.deepEqual(days, ["2026-10-31", "2026-11-01"]);
  });

  test("what is no message at all is refused, and so is who has no token", async () => {
    for (const body of [
      await push(""),
      await pushAll([]),
      await pushAll([""]),
      await pushAll([1]),
      await pushAll(Array.from({ length: 1_001 }, () => "FSU")),
      await sendAsOperator(service, "POST", "/v1/air/messages", { received_at: "2026-11-01T00:00:00Z" }),
      await sendAsOperator(service, "POST", "/v1/air/messages", {}),
      await push("{", "application/json"),
      await push("1", "application/json"),
    ]) {
      assertRefused(body, 400, "INVALID_REQUEST");
    }
    assert.equal((await push("x".repeat(4 * 1024 * 1024 + 1))).status, 413);
    const nobody = await send(service.ops, { method: "POST", url: "/v1/air/messages", payload: "FSU" });
    assert.equal(nobody.status, 401);
    assert.equal((await sendAsOperator(service, "GET", "/v1/air/messages")).status, 405);
  });

  test("texts that came long ago are read by the year in which they came", async () => {
    const messages = [arrival("77777770", "24DEC"), arrival("77777770", "02JAN")];
    const sent = { messages, received_at: "2024-01-03T08:00:00+01:00" };
    const { status, body } = await sendAsOperator(service, "POST", "/v1/air/messages", sent);
    assert.deepEqual([status, body.accepted], [202, 2]);
    const days = (await statementsOf("17677777770")).map(({ events }) => events[0]?.at?.local.slice(0, 10));
    assert.deepEqual(new Set(days), new Set(["2023-12-24", "2024-01-02"]));
    await service.clock.advance(1_000);
    assert.equal((await statementsOf("17677777770")).length, 2, "they are kept as of now");
    for (const received_at of ["yesterday", "2024-01-03", "2100-01-01T00:00:00Z", 5, null]) {
      const wrong = await sendAsOperator(service, "POST", "/v1/air/messages", { messages, received_at });
      assertRefused(wrong, 400, "INVALID_REQUEST", /received_at/);
    }
  });

  test("a status that is none of Cargo-IMP's twenty is kept as a line that was reported, with all others", async () => {
    const text = `${arrival("88888881")}ABC/01NOV1300/FRA/T10K250/ACME\r\n/GATE 4\r\nOSI/AT GATE 4\r\nXYZ/1\r\n`;
    const { body } = await push(text);
    assert.deepEqual([body.accepted, body.refused], [1, 0]);
    assert.deepEqual(columns(body.problems, "line", "column"), [
      [4, 1],
      [7, 1],
    ]);
    const { rows } = await query(
      service.test.address,
      `select problem from ${service.test.cells[0]!.schema}.air_messages where message = $1`,
      [Buffer.from(text)],
    );
    assert.match(rows[0].problem, /^line 4, column 1: "ABC" is no status .*\nline 7, column 1: "XYZ" /);
    const [statement] = await statementsOf("17688888881");
    assert.deepEqual(
      statement?.events.map(({ code, remarks }) => [code, remarks]),
      [["RCF", []]],
    );
  });

  test("what is older than any waybill that is tracked is forgotten within the hour, though nothing is pushed", async () => {
    await push(arrival("55555555"));
    await service.clock.advance(89 * 86_400_000);
    await push(arrival("66666666", "30JAN"));
    const { clock, log, test: stored } = service;
    const ports = {
      database: stored.database,
      cells: stored.cells as Cells,
      clock,
      log,
      loops: unwatchedLoops,
    };
    const forgetting = createRetention(ports, "air messages", MESSAGES_KEPT_MS, airMessagePrune);
    forgetting.start();
    await clock.advance(3_600_000);
    assert.equal((await statementsOf("17655555555")).length, 1);
    await clock.advance(86_400_000);
    await clock.until(
      async () => (await statementsOf("17655555555")).length === 0,
      "what is old is forgotten",
    );
    assert.equal((await statementsOf("17666666666")).length, 1);
    await forgetting.stop();
  });
});
