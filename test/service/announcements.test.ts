/** Announcements of the service as its users run it: none of what is old, each of the others once, signed and in shape. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import Schema from "typebox/schema";

import { addressOf } from "../faults/postgres.ts";
import { query } from "../support/database.ts";
import { ask, makeDataFolder, operatorToken, serve, until } from "./boathook.ts";
import { newClient, startReceiver } from "./client.ts";

const folder = makeDataFolder({ withDatabase: true });
const CELLS = ["boathook_cell_0", "boathook_cell_1"];

const rows = async (sql: (schema: string) => string): Promise<readonly unknown[]> =>
  (await Promise.all(CELLS.map((schema) => query(addressOf(join(folder, "postgres")), sql(schema))))).flatMap(
    (result) => result.rows as unknown[],
  );

const announced = () => rows((schema) => `select from ${schema}.announcements`);

// spec 6.3: api_change_announced; 6.5: once
test("a new installation announces nothing old, and one that was there before announces each entry once", async (t) => {
  const receiver = await startReceiver(t);
  const start = () =>
    serve(t, {
      BOATHOOK_DATA_DIR: folder,
      BOATHOOK_CELLS: String(CELLS.length),
      BOATHOOK_PUBLIC_URL: "https://api.example.com/",
      ...receiver.settings,
    });
  const first = await start();
  const client = await newClient(first, operatorToken(folder), receiver);
  await client.register(first, "tracking", "tracking");
  await until(
    async () => (await rows((schema) => `select from ${schema}.announcing`)).length === CELLS.length,
    "it has looked",
  );
  await first.stop();

  const second = await start();
  assert.equal((await announced()).length, 0);
  await rows((schema) => `update ${schema}.announcing set since = '2026-01-01'`);
  await second.stop();
  assert.equal(receiver.arrivals.length, 0);

  const third = await start();
  await until(async () => (await announced()).length === 2 * CELLS.length, "all is announced");
  await until(() => receiver.arrivals.length === 2, "both announcements arrive");
  assert.deepEqual(receiver.wrong, []);
  assert.deepEqual(receiver.arrivals.map(({ data }) => String((data as { id?: unknown }).id)).toSorted(), [
    "2026-06-01-first-version",
    "2026-08-19-identifier-type",
  ]);
  const published = await ask("GET", `${third.publicUrl}/tracking/schemas/webhook-delivery.json`, "");
  const schema = JSON.parse(published.body as string) as object;
  for (const { id, type, data } of receiver.arrivals) {
    const body = { id, type, occurred_at: "2026-11-02T00:00:00Z", data };
    assert.ok(Schema.Check(schema, body), JSON.stringify(body));
    assert.equal(
      (data as { changelog_url?: string }).changelog_url,
      "https://api.example.com/tracking/changelog.json",
    );
  }
  const changelog = await ask("GET", `${third.publicUrl}/tracking/changelog.json`, "");
  assert.equal(changelog.body.entries.length, 2);
  await third.stop();

  const fourth = await start();
  const events = await rows((name) => `select from ${name}.events`);
  assert.equal(events.length, 2);
  await fourth.stop();
});
