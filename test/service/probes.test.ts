/** What the probes report while the process starts and while it stops. */
import assert from "node:assert/strict";
import { get } from "node:http";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import { ask, makeDataFolder, operatorToken, serve, start, until } from "./boathook.ts";
import { newClient, raise, startReceiver } from "./client.ts";

const folder = makeDataFolder({ withDatabase: true });

/** An answer, or why there is none, such as `ECONNREFUSED`. */
type Probe = { readonly status: number | string; readonly body: string };

/** One request on a connection of its own, as probes make them. */
function probe(url: string): Promise<Probe> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: 5_000 }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      response.on("end", () => resolve({ status: response.statusCode!, body }));
    });
    request.on("timeout", () => request.destroy(new Error("no answer")));
    request.on("error", (error: NodeJS.ErrnoException) =>
      resolve({ status: error.code ?? error.message, body: "" }),
    );
  });
}

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("a service that starts is ready no sooner than its public port listens", async (t) => {
  const [publicPort, opsPort] = [await freePort(), await freePort()];
  start(t, ["serve"], {
    BOATHOOK_DATA_DIR: folder,
    BOATHOOK_LISTEN: `127.0.0.1:${publicPort}`,
    BOATHOOK_OPS_LISTEN: `127.0.0.1:${opsPort}`,
  });
  await until(async () => {
    const { status, body } = await probe(`http://127.0.0.1:${opsPort}/readyz`);
    if (status === 503)
      assert.match((JSON.parse(body) as { reason: string }).reason, /the service is starting/);
    return status === 200;
  }, "it is ready");
  const { status } = await probe(`http://127.0.0.1:${publicPort}/tracking/openapi.json`);
  assert.equal(status, 200);
});

test("a service that stops says so until its drain has ended, and takes nothing more", async (t) => {
  const receiver = await startReceiver(t);
  const service = await serve(t, {
    BOATHOOK_DATA_DIR: folder,
    BOATHOOK_DRAIN_TIMEOUT: "10m",
    BOATHOOK_ATTEMPT_TIMEOUT: "5m",
    ...receiver.settings,
  });
  const { opsUrl, publicUrl } = service;
  const token = operatorToken(folder);
  const client = await newClient(service, token, receiver);
  await client.register(service, "rates", "rates");
  const answer = Promise.withResolvers<number>();
  receiver.behave(() => answer.promise);
  assert.ok(await raise(service, token, client.accountId, [1]));
  await until(() => receiver.arrivals.length === 1, "an attempt is in flight, and hangs");
  assert.equal((await probe(`${opsUrl}/readyz`)).status, 200);

  service.signal("SIGTERM");
  await until(async () => (await probe(`${opsUrl}/readyz`)).status !== 200, "it is not ready any more");
  const draining = await Promise.all([
    probe(`${opsUrl}/healthz`),
    probe(`${opsUrl}/metrics`),
    probe(`${publicUrl}/tracking/openapi.json`),
  ]);
  assert.deepEqual(
    draining.map(({ status }) => status),
    [200, 200, "ECONNREFUSED"],
  );
  assert.match(draining[1].body, /^boathook_open_requests 1$/m);
  const event = {
    product: "rates",
    account_id: client.accountId,
    type: "index_refreshed",
    data: { index_id: "europe", dated: "2026-10-30", value: "1042.17" },
  };
  for (const refused of [
    await ask("POST", `${opsUrl}/v1/events`, token, { events: [event] }),
    await ask("POST", `${opsUrl}/v1/accounts`, token, { name: "Late" }),
    await ask("GET", `${opsUrl}/v1/accounts`, token),
    await ask("POST", `${opsUrl}/v1/schedules/none`, token, {}),
  ]) {
    assert.deepEqual([refused.status, refused.body.error.code], [503, "UNAVAILABLE"]);
    assert.match(refused.body.error.message, /the service is stopping/);
  }
  assert.equal((await ask("GET", `${opsUrl}/v1/accounts`, "nobody")).status, 401);

  const stopping = await probe(`${opsUrl}/readyz`);
  assert.equal(stopping.status, 503);
  assert.match((JSON.parse(stopping.body) as { reason: string }).reason, /the service is stopping/);
  answer.resolve(204);
  assert.equal(await service.ended, 0);
});
