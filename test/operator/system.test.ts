/** What runs: migrations of every schema, nodes, and broadcasts in progress. */
import assert from "node:assert/strict";
import { randomUUIDv7 } from "node:crypto";
import { describe, test } from "node:test";

import { nameOfCell } from "../../src/store/cell.ts";
import { lockNode, registerNode } from "../../src/store/nodes/nodes.ts";
import { insertBroadcasts } from "../../src/freight/broadcasts/store/broadcasts.ts";
import { columns } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import { sendAsOperator, startService } from "../support/service.ts";

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
      await insertBroadcasts(service.test.database, cell, [
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
