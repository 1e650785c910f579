/** A call with events for several cells, of which one moves while it is written. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { raise } from "../../src/engine/raise/accept.ts";
import type { Raiser } from "../../src/engine/raise/raise.ts";
import type { Routes } from "../../src/engine/raise/routes.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import type { RaisedEvent } from "../../src/model/event.ts";
import { createHomes } from "../../src/store/homes/homes.ts";
import { openDatabaseOn } from "../../src/store/open-database.ts";
import { createTestDatabase } from "../support/database.ts";
import { realClock } from "../support/real-clock.ts";
import { eventFor } from "./harness.ts";

test("a cell that leaves the server of the others makes the call fail for now, as any move does", async (t) => {
  const [here, there] = [await createTestDatabase({ cells: 2 }), await createTestDatabase({ cells: 2 })];
  const [first, second] = here.cells;
  const homes = createHomes(here.address, async () => undefined);
  const database = openDatabaseOn(homes, {
    sessionName: "boathook test",
    connectionsMax: 2,
    connectTimeoutMs: 10_000,
    onIdleError: () => undefined,
  });
  t.after(async () => {
    await database.close();
    await here.drop();
    await there.drop();
  });
  const raised = {
    accepted: 1,
    duplicates: new Set<RaisedEvent>(),
    deliveryIds: [],
    made: new Map(),
    atMs: 0,
    committed() {},
    rolledBack() {},
  };
  const raiserOf = ({ schema }: { readonly schema: string }) =>
    ({
      raise: () => assert.fail(),
      async raiseIn(tx) {
        await tx.rows({ name: `one@${schema}`, text: "select 1", schema }, []);
        if (schema === first!.schema) {
          const { address } = there;
          homes.place(second!.schema, { name: "east", address, owner: address, shards: new Map() });
        }
        return raised;
      },
    }) satisfies Raiser;
  const cellOf = { first, second };
  const routes = { cached: (id: "first" | "second") => ({ cell: cellOf[id] }) } as unknown as Routes;
  const call = raise({ database, routes, raiserOf, clock: realClock, pingData: "{}" }, [
    eventFor("first"),
    eventFor("second"),
  ]);
  await assert.rejects(call, (cause) => {
    assert.ok(cause instanceof StoreUnavailable, String(cause));
    assert.deepEqual([cause.reason, cause.commitUnknown], ["moved", false]);
    return true;
  });
});
