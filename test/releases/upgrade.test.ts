/**
 * The database of each recorded version (record.ts), opened by this build: what waits is delivered with the secrets that
 * clients have, and nothing else; what ended can still be read.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { gunzipSync } from "node:zlib";

import { products } from "../../src/products/index.ts";
import { readConfiguration } from "../../src/runtime/configuration.ts";
import { HOUR_MS } from "../../src/runtime/durations.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { startService } from "../../src/service/service.ts";
import { settingsFor } from "../cli/run.ts";
import { ask, until } from "../service/boathook.ts";
import { raise, startReceiver } from "../service/client.ts";
import { createEmptyDatabase, query } from "../support/database.ts";
import { silentLog } from "../support/log.ts";
import { realClock } from "../support/real-clock.ts";
import type { Recorded } from "./record.ts";

const TOKEN = "the-operator-of-this-test";
const versions = readdirSync(import.meta.dirname).flatMap((file) => /^(.*)\.sql\.gz$/.exec(file)?.[1] ?? []);

/** The dump in a database of its own, with the endpoints at a receiver of the test, two hours later. */
async function upgrade(t: TestContext, version: string) {
  const fileOf = (ending: string) => readFileSync(join(import.meta.dirname, version + ending));
  const recorded = JSON.parse(fileOf(".json").toString()) as Recorded;
  const { address, drop } = await createEmptyDatabase();
  await query(address, gunzipSync(fileOf(".sql.gz")).toString());
  const receiver = await startReceiver(t);
  const moved = "update boathook_cell_0.endpoints set url = replace(url, $1, $2)";
  await query(address, moved, [recorded.receiver, receiver.url]);
  for (const { path, secret } of recorded.endpoints) receiver.trust(path, secret);

  const folder = mkdtempSync(join(tmpdir(), "boathook-upgrade-"));
  const environment = {
    ...settingsFor({ address, cells: [] }),
    ...receiver.settings,
    ...{ BOATHOOK_CELLS: "1", BOATHOOK_DATA_DIR: folder, BOATHOOK_OPERATOR_TOKEN: TOKEN },
    ...{ BOATHOOK_LISTEN: "127.0.0.1:0", BOATHOOK_OPS_LISTEN: "127.0.0.1:0" },
    BOATHOOK_MASTER_KEY: recorded.masterKey,
  };
  const read = readConfiguration(environment, products, "service");
  assert.ok(read.kind === "settings");
  const behindMs = Date.now() - Date.parse(recorded.recordedAt) - 2 * HOUR_MS;
  const clock = { ...realClock, nowMs: () => realClock.nowMs() - behindMs };
  const service = await startService(read.settings, { clock, random: systemRandom(), log: silentLog });
  t.after(async () => {
    await service.stop();
    await drop();
    rmSync(folder, { recursive: true });
  });
  const serving = { publicUrl: service.publicUrl!, opsUrl: service.opsUrl } as Parameters<typeof raise>[0];
  return { recorded, receiver, serving };
}

for (const version of versions) {
  test(`the database of ${version} goes on: what waited is delivered once, what ended is read, and what is new arrives`, async (t) => {
    const { recorded, receiver, serving } = await upgrade(t, version);
    const call = (path: string) => ask("GET", `${serving.publicUrl}${path}`, recorded.key);
    const sentTo = (path: string) => receiver.arrivals.filter((arrival) => arrival.path === path);
    const waiting = recorded.endpoints.flatMap(({ path, active, deliveries }) =>
      deliveries.filter(({ status }) => active && status === "pending").map(({ id }) => `${path} ${id}`),
    );
    assert.ok(waiting.length > 0);
    await until(() => receiver.arrivals.length >= waiting.length, "what waited arrives");
    assert.deepEqual(receiver.arrivals.map(({ path, id }) => `${path} ${id}`).toSorted(), waiting.toSorted());
    assert.deepEqual(receiver.wrong, []);

    const details = async () =>
      Promise.all(
        recorded.endpoints.map(async ({ id }) => (await call(`/rates/v1/webhooks/${id}`)).body.data),
      );
    const isSettled = async () =>
      (await details()).every(
        ({ active, recent_deliveries: recent }) =>
          !active || recent.every((one: { readonly status: string }) => one.status !== "pending"),
      );
    await until(isSettled, "they are settled");
    for (const [index, { active, deliveries, path }] of recorded.endpoints.entries()) {
      const found = (await details())[index];
      assert.equal(found.active, active, path);
      const isSent = (one: { readonly status: string }) => active && one.status === "pending";
      assert.deepEqual(
        found.recent_deliveries.map((one: Record<string, unknown>) => ({
          ...{ id: one["id"], status: one["status"], attempts: one["attempt_count"] },
        })),
        deliveries.map((one) =>
          isSent(one) ? { ...one, status: "delivered", attempts: one.attempts + 1 } : one,
        ),
        path,
      );
    }
    const { body: containers } = await call("/tracking/v1/containers");
    assert.ok(JSON.stringify(containers).includes(recorded.container), "its container is tracked");

    const before = receiver.arrivals.length;
    assert.ok(await raise(serving, TOKEN, recorded.accountId, [6]));
    const active = recorded.endpoints.filter((endpoint) => endpoint.active);
    await until(() => receiver.arrivals.length >= before + active.length, "a new event arrives");
    for (const { path } of active) assert.ok(sentTo(path).some(({ data }) => data.number === 6));
    assert.deepEqual(receiver.wrong, []);
  });
}
