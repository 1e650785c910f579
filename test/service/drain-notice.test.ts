/** What a balancer sees of a service that gives notice before it drains. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { ask, makeDataFolder, operatorToken, serve, until } from "./boathook.ts";

const folder = makeDataFolder({ withDatabase: true });

async function readiness(opsUrl: string): Promise<string> {
  const { status, body } = await ask("GET", `${opsUrl}/readyz`, "");
  return status === 200 ? "ready" : body.reason;
}

for (const workers of ["1", "2"]) {
  const settings = { BOATHOOK_DATA_DIR: folder, BOATHOOK_WORKERS: workers };

  test(`with workers: ${workers}, a service is not ready while its notice lasts, and serves on; a second signal ends it`, async (t) => {
    const { opsUrl, publicUrl, ...service } = await serve(t, { ...settings, BOATHOOK_DRAIN_NOTICE: "10m" });
    const token = operatorToken(folder);
    if (workers === "2")
      await until(() => service.err().split("a worker serves").length === 3, "both workers serve");
    await until(async () => (await readiness(opsUrl)) === "ready", "it is ready");
    service.signal("SIGTERM");
    await until(async () => (await readiness(opsUrl)) === "the service is draining", "it is draining");
    for (let asked = 0; asked < 10; asked++) {
      assert.equal(await readiness(opsUrl), "the service is draining");
      assert.equal((await ask("GET", `${publicUrl}/tracking/openapi.json`, "")).status, 200);
      assert.equal((await ask("POST", `${opsUrl}/v1/accounts`, token, { name: "During" })).status, 201);
    }
    let status: number | null | undefined;
    void service.ended.then((ended) => (status = ended));
    // A signal that follows within a moment is the same one.
    await until(() => {
      service.signal("SIGTERM");
      return status !== undefined;
    }, "it ends at the second signal");
    assert.equal(status, 1);
  });
}

test("a service with workers ends by itself when its notice is over", async (t) => {
  const settings = { BOATHOOK_DATA_DIR: folder, BOATHOOK_WORKERS: "2" };
  const service = await serve(t, { ...settings, BOATHOOK_DRAIN_NOTICE: "300ms" });
  await service.stop();
});
