import assert from "node:assert/strict";
import { StoreUnavailable } from "../../../src/model/errors.ts";
import { POLLER_DEFAULTS } from "../../../src/freight/polling/poller.ts";
import { afterEach, beforeEach, describe, test } from "node:test";

import { createPoller } from "../../../src/products/ocean/sources/poll-shipment.ts";
import { cellsNamed } from "../../../src/store/cell.ts";
import { openHarbour, type Harbour } from "../harbour.ts";
import { TERN } from "../shipping-lines.ts";
import { column } from "../../support/columns.ts";

// The server of the tests stops before the hooks of a file run, so these belong to a suite.
describe("the poller beside a database that is away", () => {
  let harbour: Harbour;
  beforeEach(async () => {
    harbour = await openHarbour([TERN]);
  });
  afterEach(() => harbour.stored.drop());

  test("a poller outlives a store that does not answer", async () => {
    const claims: number[] = [];
    const database = {
      rows: async () => {
        claims.push(harbour.clock.nowMs());
        throw new StoreUnavailable("the database is gone", { reason: "unreachable" });
      },
    };
    const settings = { ...POLLER_DEFAULTS, gatherMs: 0 };
    const poller = createPoller({ ...harbour.ports, database }, [harbour.cell], settings);
    poller.start();
    await harbour.clock.advance(2_500);
    await poller.stop();
    assert.equal(
      claims.length,
      6,
      "one at once for what is due and one for what changes, then both every second",
    );
    const logged = harbour.log.lines.filter(({ level }) => level === "warn");
    assert.deepEqual(
      logged.map(({ message, fields }) => [message, (fields as { readonly loop?: string }).loop]),
      [["work waits for the database", "polling"]],
    );
  });

  test("a cell that is away keeps no other from being polled", async () => {
    const cells = cellsNamed("boathook", 3);
    const asked = new Set<string>();
    const database = {
      rows: async ({ schema }: { readonly schema?: string }) => {
        asked.add(schema!);
        if (schema === cells[1]!.schema) throw new StoreUnavailable("gone", { commitUnknown: false });
        return [];
      },
    };
    const settings = { ...POLLER_DEFAULTS, gatherMs: 0 };
    const poller = createPoller({ ...harbour.ports, database }, cells, settings);
    poller.start();
    await harbour.clock.advance(2_500);
    await poller.stop();
    assert.deepEqual([...asked].toSorted(), column(cells, "schema"));
    assert.deepEqual(
      harbour.log.lines.filter(({ level }) => level === "error"),
      [],
    );
  });
});
