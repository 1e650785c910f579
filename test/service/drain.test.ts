/** How a service stops: the notice that it gives to balancers, and what does not hold up its end. */
import assert from "node:assert/strict";
import { test } from "node:test";

import pg from "pg";

import { connectionConfig } from "../../src/store/database.ts";
import { checkMetrics } from "../docs/alerts.ts";
import { realClock } from "../support/real-clock.ts";
import {
  endAtSecondSignal,
  ask,
  makeDataFolder,
  operatorToken,
  serve,
  until,
  type Addresses,
} from "./boathook.ts";
import { newClient, raise, startReceiver } from "./client.ts";
import { openPlace, run, TOKEN } from "./running.ts";

async function readiness(opsUrl: string): Promise<string> {
  const { status, body } = await ask("GET", `${opsUrl}/readyz`, "");
  return status === 200 ? "ready" : body.reason;
}

/** It is not ready any more, and serves as before. */
async function checkNotice({ opsUrl, publicUrl }: Addresses, token: string): Promise<void> {
  await until(async () => (await readiness(opsUrl)) === "the service is draining", "it is draining");
  for (let asked = 0; asked < 4; asked++) {
    assert.equal(await readiness(opsUrl), "the service is draining");
    assert.equal((await ask("GET", `${publicUrl}/tracking/openapi.json`, "")).status, 200);
    assert.equal((await ask("POST", `${opsUrl}/v1/accounts`, token, { name: "During" })).status, 201);
  }
}

test("a service is not ready while its notice lasts, serves on, and then ends", async (t) => {
  const notice = Promise.withResolvers<void>();
  const clock: typeof realClock = {
    ...realClock,
    after(delayMs, action) {
      if (delayMs !== 600_000) return realClock.after(delayMs, action);
      void notice.promise.then(action);
      return () => undefined;
    },
  };
  const { settings } = await openPlace(t);
  const service = await run(t, { ...settings, BOATHOOK_DRAIN_NOTICE: "10m" }, { clock });
  const stopping = service.stop();
  await checkNotice(service, TOKEN);
  notice.resolve();
  await stopping;
  await assert.rejects(fetch(`${service.opsUrl}/healthz`));
});

test("two workers have the metrics that alerts name, give notice as one, and a second signal ends them", async (t) => {
  const folder = makeDataFolder({ withDatabase: true });
  const service = await serve(t, {
    ...{ BOATHOOK_DATA_DIR: folder, BOATHOOK_WORKERS: "2", BOATHOOK_DRAIN_NOTICE: "10m" },
  });
  await until(() => service.err().split("a worker serves").length === 3, "both workers serve");
  assert.equal(await readiness(service.opsUrl), "ready");
  checkMetrics(await metricsOfUse(service, operatorToken(folder)));
  service.signal("SIGTERM");
  await checkNotice(service, operatorToken(folder));
  await endAtSecondSignal(service);
});

test("a service stops, and leaves its cells, though the counts of missed events cannot be written", async (t) => {
  const { settings, on } = await openPlace(t);
  // What waits at its end does so for a moment.
  let isStopping = false;
  const after: typeof realClock.after = (ms, action) => realClock.after(isStopping ? ms / 50 : ms, action);
  const receiver = await startReceiver(t);
  const service = await run(
    t,
    { ...settings, ...receiver.settings, BOATHOOK_DRAIN_TIMEOUT: "10m" },
    { clock: { ...realClock, after } },
  );
  const client = await newClient(service, TOKEN, receiver);
  const id = await client.register(service, "rates", "paused");
  const endpoint = `${service.publicUrl}/rates/v1/webhooks/${id}`;
  assert.equal((await ask("PATCH", endpoint, client.key, { active: false })).status, 200);
  const other = new pg.Client(connectionConfig(on.address));
  await other.connect();
  t.after(() => other.end());
  other.on("error", () => undefined);
  await other.query("begin");
  await other.query("select from boathook_cell_0.endpoints where id = $1 for no key update", [id]);
  assert.equal(await raise(service, TOKEN, client.accountId, [1]), true);
  // The counts wait for a lock that nobody gives back, and the drain may last for minutes.
  isStopping = true;
  await service.stop();
  const late = service.log.filter(({ message }) => /not every attempt ended in time/.test(message));
  assert.deepEqual(late, []);
});

/** An event that nobody gets, and a path that is not there. */
async function metricsOfUse({ opsUrl, publicUrl }: Addresses, token: string): Promise<string> {
  const { body: account } = await ask("POST", `${opsUrl}/v1/accounts`, token, { name: "Acme" });
  const data = { index_id: "europe", dated: "2026-10-30", value: "1042.17" };
  const event = { product: "rates", account_id: account.id, type: "index_refreshed", data };
  assert.equal((await ask("POST", `${opsUrl}/v1/events`, token, { events: [event] })).status, 202);
  await ask("GET", `${publicUrl}/tracking/openapi.json`, "");
  await ask("GET", `${publicUrl}/no/such/path`, "");
  const { body } = await ask("GET", `${opsUrl}/metrics`, "");
  for (const line of USED) assert.ok(body.includes(`\n${line}\n`), line);
  return body;
}

const USED = [
  'boathook_unheard_events_total{product="rates"} 1',
  'boathook_http_requests_total{route="/v1/events",method="POST",status="2xx"} 1',
  'boathook_http_requests_total{route="/tracking/openapi.json",method="GET",status="2xx"} 1',
  'boathook_http_requests_total{route="none",method="",status="4xx"} 1',
  'boathook_public_connections_closed_total{bound="address"} 0',
  "boathook_directory_up 1",
  "boathook_broadcasts 0",
];
