/** What a balancer sees of a service that gives notice before it drains. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { ask, makeDataFolder, operatorToken, serve, until, type Settings } from "./boathook.ts";

const folder = makeDataFolder({ withDatabase: true });

/** Looks and answers within it take some time on a busy machine. */
const NOTICE_MS = 4_000;
/** A notice of ten minutes that goes on takes longer by far. */
const ENDED_MS_MAX = 60_000;

async function readiness(opsUrl: string): Promise<string> {
  const { status, body } = await ask("GET", `${opsUrl}/readyz`, "");
  return status === 200 ? "ready" : body.reason;
}

for (const workers of ["1", "2"]) {
  const settings: Settings = {
    BOATHOOK_DATA_DIR: folder,
    BOATHOOK_WORKERS: workers,
    BOATHOOK_DRAIN_NOTICE: `${NOTICE_MS}ms`,
  };

  test(`with workers: ${workers}, a service is not ready for the time of its notice, and serves on`, async (t) => {
    const { opsUrl, publicUrl, ...service } = await serve(t, settings);
    const token = operatorToken(folder);
    if (workers === "2")
      await until(() => service.err().split("a worker serves").length === 3, "both workers serve");
    await until(async () => (await readiness(opsUrl)) === "ready", "it is ready");
    const signalledMs = performance.now();
    service.signal("SIGTERM");
    await until(async () => (await readiness(opsUrl)) === "the service is draining", "it is draining");
    while (performance.now() - signalledMs < NOTICE_MS / 2) {
      assert.equal(await readiness(opsUrl), "the service is draining");
      assert.equal((await ask("GET", `${publicUrl}/tracking/openapi.json`, "")).status, 200);
      assert.equal((await ask("POST", `${opsUrl}/v1/accounts`, token, { name: "During" })).status, 201);
      await sleep(100);
    }
    assert.equal(await service.ended, 0, service.err());
    assert.ok(performance.now() - signalledMs >= NOTICE_MS);
  });

  test(`with workers: ${workers}, a second signal ends the notice and the process at once`, async (t) => {
    const { opsUrl, ...service } = await serve(t, { ...settings, BOATHOOK_DRAIN_NOTICE: "10m" });
    service.signal("SIGTERM");
    await until(async () => (await readiness(opsUrl)) === "the service is draining", "it is draining");
    const signalledMs = performance.now();
    let status: number | null | undefined;
    void service.ended.then((ended) => (status = ended));
    // A signal that follows within a moment is the same one.
    await until(() => {
      service.signal("SIGTERM");
      return status !== undefined;
    }, "it ends at the second signal");
    assert.equal(status, 1);
    assert.ok(performance.now() - signalledMs < ENDED_MS_MAX);
  });
}
