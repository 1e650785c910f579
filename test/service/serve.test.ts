/** `serve` as its users start, ask and stop it: a process on a data folder of its own. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import pg from "pg";

import { run as runCommand } from "../cli/run.ts";
import {
  ask,
  databasePid,
  makeDataFolder,
  operatorToken,
  QUICK_HEARTBEATS,
  start,
  until,
  endAtSecondSignal,
  serve,
  type Addresses,
} from "./boathook.ts";
import { newClient, raise, startReceiver } from "./client.ts";
import { openPlace, run, TOKEN } from "./running.ts";
import { connectionConfig } from "../../src/store/database.ts";
import { checkMetrics } from "../docs/alerts.ts";
import { realClock } from "../support/real-clock.ts";

const dataFolder = makeDataFolder();

/** Says on stderr what is loaded of OpenTelemetry. */
const SAY_LOADED =
  "--import=data:text/javascript,import{registerHooks}from'node:module';" +
  "registerHooks({resolve(name,context,next){if(name.startsWith('@opentelemetry/'))" +
  "process.stderr.write('loaded\\x20'+name+'\\n');return(next(name,context))}})";

/** One request on a connection of its own, as probes make them: an answer, or why there is none, such as `ECONNREFUSED`. */
function probe(url: string): Promise<{ readonly status: number | string; readonly body: string }> {
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

/** Of this test alone: nobody else takes a port that was free. */
const ADDRESS = "127.77.0.7";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, ADDRESS);
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

// spec 1: signed_push, products; 4.1: test; 5.1: method, header, signed_material
test("serve is ready once it listens, delivers signed over HTTPS, and SIGTERM drains and ends all of it", async (t) => {
  const receiver = await startReceiver(t);
  const [publicPort, opsPort] = [await freePort(), await freePort()];
  const [publicUrl, opsUrl] = [`http://${ADDRESS}:${publicPort}`, `http://${ADDRESS}:${opsPort}`];
  const service = start(t, ["serve"], {
    BOATHOOK_DATA_DIR: dataFolder,
    BOATHOOK_LISTEN: `${ADDRESS}:${publicPort}`,
    BOATHOOK_OPS_LISTEN: `${ADDRESS}:${opsPort}`,
    BOATHOOK_DRAIN_TIMEOUT: "10m",
    BOATHOOK_ATTEMPT_TIMEOUT: "5m",
    NODE_OPTIONS: `${QUICK_HEARTBEATS.NODE_OPTIONS} ${SAY_LOADED}`,
    ...receiver.settings,
  });
  const openApi = `${publicUrl}/tracking/openapi.json`;
  const readiness = async () => {
    const { status, body } = await probe(`${opsUrl}/readyz`);
    return status === 503 ? String(JSON.parse(body).reason) : status;
  };
  let status: number | null | undefined;
  void service.ended.then((ended) => (status = ended));
  await until(
    async () => {
      assert.equal(status, undefined, service.err());
      const found = await readiness();
      if (typeof found === "string") assert.match(found, /ECONNREFUSED|the service is starting/);
      return found === 200;
    },
    "it is ready",
    90_000,
  );
  assert.equal((await probe(openApi)).status, 200, "and listens by then");
  await until(() => service.out().includes("\n"), "it says so");
  assert.equal(service.out(), `{"event":"listening","public":"${publicUrl}","ops":"${opsUrl}"}\n`);

  const starts = service
    .err()
    .split("\n")
    .filter((line) => line.includes('"boathook starts"'));
  assert.equal(starts.length, 1);
  const { roles, database, cells, files } = JSON.parse(starts[0]!);
  assert.deepEqual(
    [roles, database, cells, Object.keys(files)],
    [["api", "deliver", "poll"], `embedded in ${dataFolder}`, 1, ["extraCaFile"]],
  );
  const token = operatorToken(dataFolder);
  assert.equal(statSync(join(dataFolder, "operator.token")).mode & 0o777, 0o600);
  assert.ok(service.err().includes(join(dataFolder, "operator.token")), "it says where the token is");
  assert.ok(!(service.out() + service.err()).includes(token), "and never what it is");

  const at = { publicUrl, opsUrl };
  const client = await newClient(at, token, receiver);
  await client.register(at, "rates", "rates");
  const tracking = await client.register(at, "tracking", "tracking");
  const testing = `${publicUrl}/tracking/v1/webhooks/${tracking}/test`;
  const ping = await ask("POST", testing, client.key, {});
  assert.equal(ping.status, 202);
  assert.ok(await raise(at, token, client.accountId, [1, 2, 3]));
  await until(() => receiver.arrivals.length === 4, "four deliveries arrive");
  const seen = receiver.arrivals
    .map(({ path, type, data }) => `${path} ${type} ${data.number ?? ""}`)
    .toSorted();
  assert.deepEqual(seen, [1, 2, 3].map((n) => `rates index_refreshed ${n}`).concat("tracking ping "));
  // spec 2.4: ping
  const pinged = receiver.arrivals.find(({ type }) => type === "ping")!;
  assert.deepEqual(pinged.data, { message: "This is a test delivery. Your endpoint works." });
  assert.equal(pinged.id, ping.body.data.id);
  await until(async () => {
    const { body } = await probe(`${opsUrl}/metrics`);
    return (
      body.includes('boathook_attempts_total{product="rates",result="2xx"} 3') &&
      body.includes('boathook_events_total{outcome="accepted"} 3') &&
      body.includes("process_resident_memory_bytes")
    );
  }, "the metrics count them");
  checkMetrics((await probe(`${opsUrl}/metrics`)).body);
  // `prom-client` needs the API.
  assert.match(service.err(), /loaded @opentelemetry\/api/);
  assert.doesNotMatch(
    service.err(),
    /loaded @opentelemetry\/(?!api)/,
    "without a collector there are no traces",
  );

  const answer = Promise.withResolvers<number>();
  receiver.behave(() => answer.promise);
  assert.ok(await raise(at, token, client.accountId, [4]));
  await until(() => receiver.arrivals.length === 5, "an attempt is in flight, and hangs");
  service.signal("SIGTERM");
  await until(async () => (await readiness()) !== 200, "it is not ready any more");
  await until(async () => (await probe(openApi)).status === "ECONNREFUSED", "it takes nothing more");
  assert.match(String(await readiness()), /the service is stopping/);
  assert.equal((await probe(`${opsUrl}/healthz`)).status, 200);
  assert.match((await probe(`${opsUrl}/metrics`)).body, /^boathook_open_requests 1$/m);
  const late = await ask("POST", `${opsUrl}/v1/accounts`, token, { name: "Late" });
  assert.deepEqual([late.status, late.body.error.code], [503, "UNAVAILABLE"]);
  answer.resolve(204);
  assert.equal(await service.ended, 0, service.err());
  assert.equal(databasePid(dataFolder), null, "its database has ended with it");
  assert.equal(service.out().split("\n").length, 2, "nothing but its addresses was on stdout");
  assert.deepEqual(receiver.wrong, []);
});

test("a node without the role api has no public listener", async (t) => {
  const { settings } = await openPlace(t);
  const service = await run(t, { ...settings, BOATHOOK_ROLES: "deliver" });
  assert.equal(service.publicUrl, null);
  assert.equal((await ask("GET", `${service.opsUrl}/readyz`, "")).status, 200);
});

test("a data folder that the system does not let Boathook make is refused at once", async () => {
  const environment = {
    BOATHOOK_DATA_DIR: "/proc/boathook",
    BOATHOOK_WORKERS: "1",
    BOATHOOK_LOG_LEVEL: "error",
  };
  const { status, err } = await runCommand(["serve"], { environment });
  assert.equal(status, 1);
  assert.match(err, /The data folder \/proc\/boathook cannot be used: .* BOATHOOK_DATA_DIR/);
});

test("a settings file that is wrong is refused before a database is made", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "boathook-refused-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const carriers = join(folder, "carriers.json");
  writeFileSync(carriers, "[{}]", { mode: 0o600 });
  const data = join(folder, "data");
  const environment = {
    BOATHOOK_DATA_DIR: data,
    BOATHOOK_CARRIERS_FILE: carriers,
    BOATHOOK_WORKERS: "1",
    BOATHOOK_LOG_LEVEL: "error",
  };
  const { status, err } = await runCommand(["serve"], { environment });
  assert.notEqual(status, 0);
  assert.match(err, /carriers/);
  assert.equal(existsSync(join(data, "postgres")), false);
});

async function readinessOf(opsUrl: string): Promise<string> {
  const { status, body } = await ask("GET", `${opsUrl}/readyz`, "");
  return status === 200 ? "ready" : body.reason;
}

/** It is not ready any more, and serves as before. */
async function checkNotice({ opsUrl, publicUrl }: Addresses, token: string): Promise<void> {
  await until(async () => (await readinessOf(opsUrl)) === "the service is draining", "it is draining");
  for (let asked = 0; asked < 4; asked++) {
    assert.equal(await readinessOf(opsUrl), "the service is draining");
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
  assert.equal(await readinessOf(service.opsUrl), "ready");
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
