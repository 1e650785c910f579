/** A service that stops while the database takes no counts of missed events. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import pg from "pg";

import { connectionConfig } from "../../src/store/database.ts";
import { addressOf } from "../faults/postgres.ts";
import { ask, makeDataFolder } from "./boathook.ts";
import { raise, serveClient } from "./client.ts";

const folder = makeDataFolder({ withDatabase: true });

test("a service stops, and leaves its cells, though the counts of missed events cannot be written", async (t) => {
  const {
    service,
    token,
    client,
    endpoint: id,
  } = await serveClient(t, folder, "rates", {
    path: "paused",
    settings: { BOATHOOK_CELLS: "1", BOATHOOK_DRAIN_TIMEOUT: "10m" },
  });
  const paused = await ask("PATCH", `${service.publicUrl}/rates/v1/webhooks/${id}`, client.key, {
    active: false,
  });
  assert.equal(paused.status, 200);
  const other = new pg.Client(connectionConfig(addressOf(join(folder, "postgres"))));
  await other.connect();
  t.after(() => other.end());
  other.on("error", () => undefined);
  await other.query("begin");
  await other.query("select from boathook_cell_0.endpoints where id = $1 for no key update", [id]);
  assert.equal(await raise(service, token, client.accountId, [1]), true);
  // The counts wait for a lock that nobody gives back, and the drain may last for minutes.
  await service.stop();
  assert.doesNotMatch(service.err(), /not every attempt ended in time/);
});
