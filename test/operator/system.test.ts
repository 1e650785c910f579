/** What runs: migrations of every schema, nodes, and broadcasts in progress. */
import assert from "node:assert/strict";
import { randomUUIDv7, randomBytes } from "node:crypto";
import { describe, test, after, before } from "node:test";

import { nameOfCell, cellsNamed } from "../../src/store/cell.ts";
import { lockNode, registerNode } from "../../src/store/nodes/nodes.ts";
import { ofSuite } from "../support/suite.ts";
import { sendAsOperator, startService, createListeners, type TestListeners } from "../support/service.ts";
import { askCells } from "../../src/operator/find-in-cells.ts";
import type { Database } from "../../src/store/database.ts";
import { fixedHomes } from "../../src/store/homes/homes.ts";
import { openDatabaseOn } from "../../src/store/open-database.ts";
import { manualClock } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { fakeEngine } from "../support/fake-engine.ts";
import { silentLog } from "../support/log.ts";
import { column, columns } from "../support/columns.ts";
import { noteSources } from "../../src/freight/sources/store/sources.ts";
import { wordsOf } from "../../src/model/source-words.ts";
import { DAY_MS, MINUTE_MS } from "../../src/runtime/durations.ts";
import { broadcastInsert } from "../../src/freight/broadcasts/store/broadcasts.sql.ts";

describe("the system", () => {
  const service = ofSuite(() => startService());

  type Migrated = {
    readonly name: string;
    readonly ran: readonly { name: string; at: string }[];
    readonly lacks: string[];
  };

  test("has migrations: which ran when, in the directory and every cell, and which a cell lacks", async () => {
    const [cell] = service.test.cells;
    const read = async () => (await sendAsOperator(service, "GET", "/v1/migrations")).body;
    const answer = await read();
    const schemas: readonly Migrated[] = answer.schemas;
    const cells = [...service.test.cells, ...service.test.productCells.all].map(nameOfCell);
    assert.deepEqual(answer.unavailable_cells, []);
    assert.deepEqual(schemas.map(({ name }) => name).toSorted(), ["directory", ...cells].toSorted());
    for (const { name, ran, lacks } of schemas) {
      assert.deepEqual(lacks, [], name);
      assert.ok(ran.length > 0, name);
      assert.ok(
        ran.every(({ at }) => Math.abs(Date.parse(at) - Date.now()) < 86_400_000),
        name,
      );
    }
    const ofSchedules = schemas.find(({ name }) => name === "schedules_0")!;
    assert.ok(ofSchedules.ran.some((one) => one.name === "schedules/001_schedules"));
    await service.test.queryIn(cell!, "delete from cell.migrations where name = '051_attempts'");
    const changed = ((await read()).schemas as readonly Migrated[]).find(({ lacks }) => lacks.length > 0);
    assert.deepEqual([changed!.name, changed!.lacks], [nameOfCell(cell!), ["051_attempts"]]);
  });

  test("has nodes, which say their version, roles and since when they run", async () => {
    const startedMs = Date.UTC(2026, 10, 2, 11);
    for (const cell of service.test.cells) {
      const told = { build: "9.9.9", host: "quay", roles: "api,deliver" };
      const described = { ...told, masterKeys: Buffer.alloc(0) };
      const node = await registerNode(service.test.database, cell, startedMs, randomUUIDv7(), "", described);
      await lockNode(service.test.database, cell, node);
    }
    const { body } = await sendAsOperator(service, "GET", "/v1/status");
    const found = body.nodes.filter(({ build }: { build: string }) => build === "9.9.9");
    assert.ok(found.length > 0);
    assert.deepEqual(
      [found[0].host, found[0].roles, found[0].started_at],
      ["quay", "api,deliver", new Date(startedMs).toISOString()],
    );
  });

  test("has broadcasts, by cell and type, the one that waits longest first", async () => {
    const broadcast = (type: string, dedupKey: string) => ({
      id: randomUUIDv7(),
      product: "schedules",
      type,
      data: "{}",
      occurredAtMs: 0,
      dedupKey,
    });
    for (const cell of service.test.cells)
      await broadcastInsert(service.test.database, cell, [
        broadcast("sailing_blanked", "one"),
        broadcast("sailing_blanked", "two"),
        broadcast("sailing_delayed", "three"),
      ]);
    const { body } = await sendAsOperator(service, "GET", "/v1/broadcasts");
    const [first] = service.test.cells;
    const its = body.broadcasts.filter(({ cell }: { cell: string }) => cell === nameOfCell(first!));
    assert.deepEqual(columns(its, "type", "broadcasts", "has_begun"), [
      ["sailing_blanked", 2, false],
      ["sailing_delayed", 1, false],
    ]);
    assert.equal(body.broadcasts.length, service.test.cells.length * 2);
  });
});

describe("sources in trouble", () => {
  const service = ofSuite(() => startService());
  const upstreams = async () => (await sendAsOperator(service, "GET", "/v1/status")).body.upstreams;

  /** A shipment whose last poll failed. */
  async function failedPoll(source: string, failure: string): Promise<void> {
    const [cell] = service.test.cells;
    const [accountId, id] = [randomUUIDv7(), randomUUIDv7()];
    await service.test.queryIn(cell!, "insert into cell.accounts (id) values ($1)", [accountId]);
    await service.test.queryIn(
      cell!,
      "insert into cell.shipments (id, account_id, reference, created_at) values ($1, $2, 'HRNU4000017', now())",
      [id, accountId],
    );
    await service.test.queryIn(
      cell!,
      "insert into cell.polls (shipment_id, source, next_poll_at, failures, failure) values ($1, $2, now(), 1, $3)",
      [id, source, failure],
    );
  }

  test("are none that only do not know a reference, and all that refuse or fail", async () => {
    for (const failure of ["not_found", "wrong_carrier", "wrong_carrier_not_asked", "needs_bill_of_lading"])
      await failedPoll("AVCT", failure);
    assert.deepEqual((await upstreams()).failing, []);
    const troubles = ["not_permitted", "unavailable_http_503", "unavailable_not_configured"];
    for (const failure of troubles) await failedPoll("BRNT", failure);
    const { failing } = await upstreams();
    assert.deepEqual([...new Set(column(failing, "source"))], ["BRNT"]);
    assert.deepEqual(new Set(column(failing, "reason")), new Set(troubles));
  });

  test("are the ones that are down: they refuse every request, as one that nobody knows a reference of", async () => {
    const [directory] = service.test.cells;
    const nowMs = service.clock.nowMs();
    const seen = (source: string, failedMs: number, answeredAtMs: number | null) =>
      noteSources(
        service.test.database,
        directory!,
        [
          {
            ...{ source, answeredAtMs, requests: 1, failures: 1, waits: null },
            last: { atMs: failedMs, subject: null, outcome: "http_400" },
            failed: { atMs: failedMs, failure: "http_400" },
          },
        ],
        failedMs,
      );
    const [beganMs, longAgoMs] = [nowMs - 10 * MINUTE_MS, nowMs - 2 * DAY_MS];
    for (const atMs of [beganMs, nowMs]) await seen("refuses all", atMs, null);
    for (const atMs of [beganMs, nowMs]) await seen("answered since", atMs, nowMs - MINUTE_MS);
    for (const atMs of [longAgoMs, longAgoMs + DAY_MS / 2]) await seen("asked no more", atMs, null);
    assert.deepEqual((await upstreams()).down, [
      {
        source: "refuses all",
        since: new Date(beganMs).toISOString(),
        reason: "http_400",
        text: wordsOf("http_400"),
      },
    ]);
  });
});

const NOWHERE = { url: "postgres://nobody@127.0.0.1:1/nothing" };

describe("a cell that does not answer", () => {
  let on: TestDatabase;
  let database: Database;
  let listeners: TestListeners;
  let gone: TestDatabase["cells"][number];
  before(async () => {
    on = await createTestDatabase({ cells: 2 });
    gone = on.cells.at(-1)!;
    const homes = fixedHomes((schema) => (schema === gone.schema ? NOWHERE : on.address));
    database = openDatabaseOn(homes, {
      sessionName: "boathook test",
      connectionsMax: 10,
      connectTimeoutMs: 5_000,
      onIdleError: () => undefined,
    });
    listeners = createListeners(
      {},
      {
        database,
        cells: on.cells,
        productCells: on.productCells,
        clock: manualClock(),
        engine: fakeEngine(),
        log: silentLog,
        masterKeys: [randomBytes(32)],
      },
    );
    for (const cell of on.cells) {
      const id = randomUUIDv7();
      await on.queryIn(cell, "insert into cell.accounts (id) values ($1)", [id]);
      await on.queryIn(
        cell,
        `insert into cell.endpoints (id, account_id, product, url, event_types, description, sealed_secret_hash,
           active, failure_count, created_at)
         values ($1, $2, 'rates', 'https://example.com/', '{}', '', '', true, 3, now())`,
        [randomUUIDv7(), id],
      );
    }
  });
  after(async () => {
    await listeners.api.close();
    await listeners.ops.close();
    await database.close();
    await on.drop();
  });

  test("is named by every list, beside what the others have", async () => {
    for (const [path, rows, count] of [
      ["/v1/endpoints", "endpoints", 1],
      ["/v1/endpoints/failing", "endpoints", 1],
      ["/v1/deliveries", "deliveries", 0],
      ["/v1/events", "events", 0],
    ] as const) {
      const { status, body } = await sendAsOperator(listeners, "GET", path);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual([body.unavailable_cells, body[rows].length], [[nameOfCell(gone)], count], path);
    }
  });

  test("is named by /v1/migrations, beside the schemas that answer", async () => {
    const { status, body } = await sendAsOperator(listeners, "GET", "/v1/migrations");
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.unavailable_cells, [nameOfCell(gone)]);
    const answered = [...on.cells, ...on.productCells.all].filter((cell) => cell !== gone).map(nameOfCell);
    const named: readonly string[] = column(body.schemas, "name");
    assert.deepEqual(named.toSorted(), ["directory", ...answered].toSorted());
  });

  test("is in trouble by the status", async () => {
    const { status, body } = await sendAsOperator(listeners, "GET", "/v1/status");
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.endpoints.failing, 1);
    const troubled = body.cells.filter(({ trouble }: { trouble: string | null }) => trouble !== null);
    assert.deepEqual(column(troubled, "name"), [nameOfCell(gone)]);
  });

  test("may have an endpoint that no other has: 503, and not 404", async () => {
    for (const path of [`/v1/endpoints/${randomUUIDv7()}`, `/v1/deliveries/${randomUUIDv7()}`])
      assert.equal((await sendAsOperator(listeners, "GET", path)).status, 503, path);
  });
});

test("few cells of many are asked at once", async () => {
  let [running, most] = [0, 0];
  const { answers } = await askCells(
    { clock: manualClock(), cells: cellsNamed("boathook", 9) },
    async ({ number }) => {
      most = Math.max(most, (running += 1));
      await new Promise(setImmediate);
      running -= 1;
      return number;
    },
  );
  assert.deepEqual([answers.length, most], [9, 4]);
});
