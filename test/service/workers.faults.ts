/** `serve` with two workers while they are killed and frozen. */
import assert from "node:assert/strict";
import { copyFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";

import { databasePid, makeDataFolder, operatorToken, serve, start, until, type Serving } from "./boathook.ts";
import { newClient, startReceiver } from "./client.ts";

const folder = makeDataFolder({ withDatabase: true });

const TWO = { BOATHOOK_WORKERS: "2", BOATHOOK_DATA_DIR: folder };
const QUICK = { BOATHOOK_RETRY_WAITS: "100ms,100ms,100ms,100ms,100ms", BOATHOOK_SWEEP_INTERVAL: "500ms" };

/** A new connection that hangs would show a worker that took it and does not run. */
const ANSWER_MS_MAX = 10_000;
const RETURN_MS_MAX = 60_000;
const BATCH = 20;
const STILL_MS = 1_000;

type Answered = { readonly status: number; readonly text: string };

/** On a connection of its own: any worker may take it. */
function ask(method: string, url: string, token = "", body?: object): Promise<Answered> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const options = { method, agent: false, headers, timeout: ANSWER_MS_MAX };
  return new Promise((resolve, reject) => {
    const asked = request(url, options, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => void (text += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode!, text }));
    });
    asked.on("timeout", () => asked.destroy(new Error("no answer in time"))).on("error", reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The process of each worker, as last logged. */
function pidsOf(service: Serving): ReadonlyMap<number, number> {
  const lines = service.err().split("\n").slice(0, -1);
  const serving = lines.filter((line) => line.includes('"a worker serves"'));
  return new Map(serving.map((line) => JSON.parse(line)).map(({ worker, pid }) => [worker, pid]));
}

/** The sum of a metric's values. */
async function metric(service: Serving, name: string): Promise<number> {
  const { text } = await ask("GET", `${service.opsUrl}/metrics`);
  const lines = text.split("\n").filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

/** A busy worker's figures come late, and what it had in flight when it ended may be sent once more. */
async function untilStill(count: () => Promise<readonly number[]>): Promise<readonly number[]> {
  let last = await count();
  await until(async () => {
    await new Promise((resolve) => setTimeout(resolve, STILL_MS));
    const before = last;
    last = await count();
    return isDeepStrictEqual(last, before);
  }, "the counts stand still");
  return last;
}

async function startTwo(...[t, settings]: Parameters<typeof serve>): Promise<Serving> {
  const service = await serve(t, { ...TWO, ...settings });
  await until(() => pidsOf(service).size === 2, "both workers serve", RETURN_MS_MAX);
  return service;
}

test("a killed and a frozen worker lose nothing and stop nobody: others answer, all is delivered, both return", async (t) => {
  const receiver = await startReceiver(t);
  receiver.behave(() => new Promise((resolve) => setTimeout(() => resolve(204), 30)));
  const service = await startTwo(t, { ...receiver.settings, ...QUICK, BOATHOOK_DRAIN_NOTICE: "300ms" });
  const token = operatorToken(folder);
  const client = await newClient(service, token, receiver);
  await client.register(service, "rates", "rates");
  const first = pidsOf(service);

  let given = 0;
  let isRaising = true;
  const errors: string[] = [];
  async function give(): Promise<void> {
    const numbers = Array.from({ length: BATCH }, (_, index) => given + index);
    given += BATCH;
    const events = numbers.map((number) => ({
      product: "rates",
      account_id: client.accountId,
      type: "index_refreshed",
      data: { index_id: "europe", dated: "2026-10-30", value: "1042.17", number },
      dedup_key: `number ${number}`,
    }));
    const raise = () => ask("POST", `${service.opsUrl}/v1/events`, token, { events });
    // A worker that is killed with a request open resets it; the client sends it again.
    const { status, text } = await raise().catch((cause: Error) => {
      errors.push(cause.message);
      return raise();
    });
    assert.equal(status, 202, text);
  }
  const raising = (async () => {
    for (; isRaising; await new Promise((resolve) => setTimeout(resolve, 100))) await give();
  })();
  const counted: number[] = [];
  const count = async () => void counted.push(await metric(service, "boathook_events_total"));

  await until(() => receiver.arrivals.length > 5 * BATCH, "deliveries arrive");
  await count();
  process.kill(first.get(1)!, "SIGKILL");
  await until(() => pidsOf(service).get(1) !== first.get(1), "the killed one is back", RETURN_MS_MAX);
  await count();
  assert.match(service.err(), /"worker":1,.*"signal":"SIGKILL".*it starts again/);

  process.kill(first.get(2)!, "SIGSTOP");
  const readiness = async () => JSON.parse((await ask("GET", `${service.opsUrl}/readyz`)).text);
  await until(async () => (await readiness()).workers !== undefined, "the frozen one is reported");
  const illness = { 2: { service: "the worker does not answer" } };
  assert.deepEqual(await readiness(), { status: "ready", workers: illness });
  await count();
  await until(() => pidsOf(service).get(2) !== first.get(2), "the frozen one is back", RETURN_MS_MAX);
  await count();
  isRaising = false;
  await raising;
  const delivered = () => new Set(receiver.arrivals.map(({ data }) => data.number)).size;
  await until(() => delivered() === given, `${given} are delivered`, RETURN_MS_MAX);
  assert.deepEqual(receiver.wrong, []);
  assert.deepEqual(
    counted,
    counted.toSorted((a, b) => a - b),
    "no sum falls when a worker ends",
  );
  // One that was open when a worker was killed, and one when the other was frozen.
  t.diagnostic(
    `${given} events, ${receiver.arrivals.length} arrivals, broken requests: ${errors.join(", ")}`,
  );
  assert.ok(errors.length <= 2, errors.join(", "));

  await until(async () => (await readiness()).workers === undefined, "all are ready");
  assert.equal(await metric(service, "boathook_workers"), 2);
  assert.equal(await metric(service, "boathook_worker_restarts_total"), 2);
  assert.equal(await metric(service, "boathook_info"), 1);
  const countAll = async () => [
    await metric(service, "boathook_events_total"),
    await metric(service, "boathook_attempts_total"),
    receiver.arrivals.length,
  ];
  await until(async () => (await metric(service, "boathook_in_flight_deliveries")) === 0, "all is settled");
  const before = await untilStill(countAll);
  for (let times = 0; times < 4; times++) await give();
  await until(() => delivered() === given, "these arrive too");
  const grown = async () => (await countAll()).map((one, nth) => one - before[nth]!);
  await until(async () => (await grown())[1]! >= 4 * BATCH, "attempts are counted");
  assert.deepEqual(await grown(), [4 * BATCH, 4 * BATCH, 4 * BATCH]);

  service.signal("SIGTERM");
  assert.equal(await service.ended, 0, `it ends by itself when its notice is over ${service.err()}`);
  assert.equal(service.out().split("\n").length, 2, "one line says that it listens");
  for (const worker of [1, 2])
    assert.match(service.err(), new RegExp(`"worker":${worker},.*"msg":"stopped"`));
  assert.equal(databasePid(folder), null, "the database stops once");
});

test("a service that gets SIGTERM while its first worker starts ends with status 0", async (t) => {
  const listen = { BOATHOOK_LISTEN: "127.0.0.1:0", BOATHOOK_OPS_LISTEN: "127.0.0.1:0" };
  const service = start(t, ["serve"], { ...TWO, ...listen });
  await until(() => service.err().includes("the embedded PostgreSQL runs"), "it starts");
  service.signal("SIGTERM");
  assert.equal(await service.ended, 0, service.err());
  assert.equal(service.out(), "");
  assert.equal(databasePid(folder), null);
});

test("a worker that cannot start again and again ends the service with its reason", async (t) => {
  const receiver = await startReceiver(t);
  const caFile = join(folder, "authority.pem");
  copyFileSync(receiver.settings["BOATHOOK_EXTRA_CA_FILE"]!, caFile);
  const service = await startTwo(t, { ...receiver.settings, BOATHOOK_EXTRA_CA_FILE: caFile });
  rmSync(caFile);
  process.kill(pidsOf(service).get(2)!, "SIGKILL");
  assert.equal(await service.ended, 1);
  assert.match(service.err(), /^BOATHOOK_EXTRA_CA_FILE cannot be read: .*\n$/m);
  assert.match(service.err(), /"worker":1,.*"msg":"stopped"/, "the other one drains");
  assert.equal(databasePid(folder), null);
});

test("what is wrong with every worker is said once, and nothing is left running", async (t) => {
  const busy = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => busy.once("listening", resolve));
  t.after(() => busy.close());
  const { port } = busy.address() as AddressInfo;
  const listen = { BOATHOOK_LISTEN: `127.0.0.1:${port}`, BOATHOOK_OPS_LISTEN: "127.0.0.1:0" };
  const refused = start(t, ["serve"], { ...TWO, ...listen, BOATHOOK_LOG_LEVEL: "silent" });
  assert.equal(await refused.ended, 1);
  assert.match(refused.err(), /^Boathook cannot listen on 127\.0\.0\.1:\d+: another program does\..*\n$/);
  assert.equal(refused.out(), "");
  assert.equal(databasePid(folder), null);
});
