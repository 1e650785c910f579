/** What no client should send, to a running service over real sockets: refused, never a 5xx, never a hang. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { hostileRequests, WEBHOOKS } from "./hostile-requests.ts";
import { killLeftDatabase } from "./postgres.ts";
import { request, say, talkTo } from "./raw-http.ts";
import { newClient, register, startServe } from "./service.ts";
import { draw, give } from "./load.ts";
import { folderFor, openScene, well } from "./scene.ts";
import { until } from "./until.ts";

/** Longer than the limits for a request to arrive (15 s) and for its check (2.5 s). */
const ANSWER_MS_MAX = 20_000;

test("hostile input is refused or cut off, and the service goes on", async (t) => {
  const scene = await openScene(t);
  const dataFolder = folderFor(t);
  killLeftDatabase(t, dataFolder);
  const service = await startServe(t, scene, { BOATHOOK_DATA_DIR: dataFolder });
  const client = await newClient(service);
  const endpoint = await register(scene, service, client, well);
  const { publicUrl, opsUrl } = service;
  const wrong: string[] = [];
  await Promise.all(
    hostileRequests(service, client, endpoint.id).map(async ({ name, url, talk, answers }) => {
      const { statuses, open, text } = await talkTo(url, talk, ANSWER_MS_MAX);
      const isRefused = statuses.every((status) => status >= 400 && status < 500);
      if (open) wrong.push(`${name}: neither answered nor closed`);
      else if (statuses.length === 0 && answers) wrong.push(`${name}: not answered`);
      else if (statuses.length > 1 || !isRefused) wrong.push(`${name}: ${text.slice(0, 400)}`);
    }),
  );
  assert.deepEqual(wrong, []);

  await t.test("requests in one piece are answered in their order, each for itself", async () => {
    const key = `authorization: Bearer ${client.key}`;
    const keepAlive = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n${key}\r\n\r\n`;
    const pieces = [
      keepAlive(WEBHOOKS),
      keepAlive(`${WEBHOOKS}/nobody`),
      request("GET", `${WEBHOOKS}/${endpoint.id}`, [key]),
    ];
    const { statuses, open } = await talkTo(publicUrl, say(...pieces), ANSWER_MS_MAX);
    assert.deepEqual({ statuses, open }, { statuses: [200, 404, 200], open: false });
  });

  await t.test("everything still works", async () => {
    assert.equal((await fetch(`${opsUrl}/readyz`)).status, 200);
    assert.equal(await give(scene, service, draw(scene, 1)), true);
    await until(
      () => scene.receiver.arrivals.some((arrival) => arrival.answered === 200),
      "a delivery arrives",
    );
    await service.stop();
  });
});
