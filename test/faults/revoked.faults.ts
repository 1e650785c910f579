/** A key that is revoked on one of two processes. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { operatorAt, productAt } from "../support/clients.ts";
import { killLeftDatabase, startDatabase } from "./postgres.ts";
import { folderFor, openScene } from "./scene.ts";
import { newClient, OPERATOR_TOKEN, startServe } from "./service.ts";
import { until } from "./until.ts";

// spec 5: rotation; how soon, `test/http/revocation.test.ts` shows.
test("a key that one process has revoked is refused there at once, and soon by another", async (t) => {
  const scene = await openScene(t);
  const dataFolder = folderFor(t);
  killLeftDatabase(t, dataFolder);
  const { postgres, databaseUrl } = await startDatabase(dataFolder);
  const environment = { BOATHOOK_DATA_DIR: dataFolder, BOATHOOK_DATABASE_URL: databaseUrl };
  const own = await startServe(t, scene, environment);
  const other = await startServe(t, scene, environment);
  const { accountId, key } = await newClient(own);
  const list = async ({ publicUrl }: typeof own) => {
    const answer = await productAt(`${publicUrl}/tracking`, key).tryAsking("GET /v1/webhooks");
    return answer.ok ? 200 : answer.failure.status;
  };
  assert.deepEqual([await list(own), await list(other)], [200, 200]);
  const { ask } = operatorAt(own.opsUrl, OPERATOR_TOKEN);
  const { keys } = await ask("GET /v1/accounts/{id}/keys", { id: accountId });
  await ask("DELETE /v1/keys/{id}", { id: keys[0]!.id });
  assert.equal(await list(own), 401);
  await until(async () => (await list(other)) === 401, "the other refuses it, too");
  for (const service of [own, other]) await service.stop();
  await postgres.stop();
});
