/**
 * Records a version's database for test/releases/upgrade.test.ts: `node test/releases/record.ts 0.2.0 [program]`, with an
 * empty PostgreSQL 15 in BOATHOOK_DATABASE_URL and its pg_dump on the PATH. The program is that version's
 * `bin/boathook.js`, by default this one.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { gzipSync } from "node:zlib";

import { ask, until, type Serving, type Settings } from "../service/boathook.ts";
import { raise, startReceiver } from "../service/client.ts";

/** What the test has to find in the dump beside this file. */
export type Recorded = {
  readonly recordedAt: string;
  /** Where the endpoints are, but for their paths. */
  readonly receiver: string;
  readonly masterKey: string;
  readonly accountId: string;
  readonly key: string;
  readonly endpoints: readonly {
    readonly path: string;
    readonly id: string;
    readonly secret: string;
    readonly active: boolean;
    readonly deliveries: readonly {
      readonly id: string;
      readonly status: string;
      readonly attempts: number;
    }[];
  }[];
  readonly container: string;
};

const TOKEN = "the-operator-of-the-recording";
const MASTER_KEY = Buffer.alloc(32, 7).toString("base64");
const REFERENCE = "CSQU3054383";
const ofTest: { readonly after: (() => unknown)[] } = { after: [] };
const t = { after: (action: () => unknown) => void ofTest.after.push(action) } as unknown as TestContext;

async function serve(program: string, settings: Settings): Promise<Serving> {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("BOATHOOK_"));
  const child = spawn(process.execPath, [program, "serve"], {
    env: { ...Object.fromEntries(others), ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => void (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => void (err += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  await until(() => out.includes("\n") || child.exitCode !== null, "it listens", 60_000);
  if (!out.includes("\n")) throw new Error(err);
  const said = JSON.parse(out) as { public: string; ops: string };
  const urls = { publicUrl: said.public, opsUrl: said.ops };
  const signal = (name: NodeJS.Signals) => void child.kill(name);
  return { pid: child.pid!, out: () => out, err: () => err, signal, ended, ...urls };
}

async function stop(serving: Serving): Promise<void> {
  serving.signal("SIGTERM");
  assert.equal(await serving.ended, 0, serving.err());
}

const [, , name, program = join(import.meta.dirname, "..", "..", "bin", "boathook.js")] = process.argv;
const databaseUrl = process.env["BOATHOOK_DATABASE_URL"];
assert.ok(name !== undefined && databaseUrl !== undefined, "name the version, and set BOATHOOK_DATABASE_URL");
const folder = mkdtempSync(join(tmpdir(), "boathook-recording-"));
const receiver = await startReceiver(t);
const settings = (waits: string) => ({
  ...receiver.settings,
  ...{ BOATHOOK_DATABASE_URL: databaseUrl, BOATHOOK_DATA_DIR: folder, BOATHOOK_MASTER_KEY: MASTER_KEY },
  ...{ BOATHOOK_LISTEN: "127.0.0.1:0", BOATHOOK_OPS_LISTEN: "127.0.0.1:0", BOATHOOK_OPERATOR_TOKEN: TOKEN },
  BOATHOOK_RETRY_WAITS: Array(5).fill(waits).join(","),
});
const arrived = (path: string) => receiver.arrivals.filter((arrival) => arrival.path === path).length;

// What ended: deliveries that arrived, and some that never did.
let service = await serve(program, settings("100ms"));
const operate = async (path: string, body: object) => {
  const { status, body: answer } = await ask("POST", `${service.opsUrl}${path}`, TOKEN, body);
  assert.ok(status < 300, JSON.stringify(answer));
  return answer;
};
const entitlements = ["aircargo", "freightrates", "loading"];
const { id: accountId } = await operate("/v1/accounts", { name: "Acme", entitlements });
const { key } = await operate(`/v1/accounts/${accountId}/keys`, { prefix: "tracking" });
const call = async (method: "GET" | "POST", path: string, body?: object) => {
  const { status, body: answer } = await ask(method, `${service.publicUrl}${path}`, key, body);
  assert.ok(status < 300, JSON.stringify(answer));
  return answer;
};
const registered: { path: string; id: string; secret: string }[] = [];
const register = async (path: string) => {
  const { data } = await call("POST", "/rates/v1/webhooks", { url: `${receiver.url}/${path}` });
  const { id, secret } = data;
  receiver.trust(path, secret);
  registered.push({ path, id, secret });
};
receiver.behave(({ path }) => (path === "steady" ? 204 : 503));
await register("steady");
await register("failed");
assert.ok(await raise(service, TOKEN, accountId, [1, 2, 3]));
await until(
  () => arrived("steady") === 3 && arrived("failed") === 18,
  "three arrive, and three are given up",
);
await call("POST", "/tracking/v1/containers", { reference: REFERENCE });
await stop(service);

// What goes on: deliveries that wait, and others of an endpoint that these failures have switched off.
service = await serve(program, settings("1h"));
await register("waiting");
assert.ok(await raise(service, TOKEN, accountId, [4, 5]));
await until(
  () => arrived("steady") === 5 && arrived("waiting") === 2 && arrived("failed") === 20,
  "they wait",
);
const read = () => Promise.all(registered.map(({ id }) => call("GET", `/rates/v1/webhooks/${id}`)));
await until(async () => (await read())[1].data.active === false, "it is switched off");
const details = await read();
await stop(service);

const recorded: Recorded = {
  recordedAt: new Date().toISOString(),
  receiver: receiver.url,
  masterKey: MASTER_KEY,
  ...{ accountId, key },
  endpoints: registered.map((endpoint, index) => ({
    ...endpoint,
    active: details[index].data.active,
    deliveries: details[index].data.recent_deliveries.map(
      (delivery: { id: string; status: string; attempt_count: number }) => ({
        ...{ id: delivery.id, status: delivery.status, attempts: delivery.attempt_count },
      }),
    ),
  })),
  container: REFERENCE,
};
const options = ["--inserts", "--rows-per-insert=200", "--no-owner", "--no-privileges", "--schema=boathook*"];
const dump = execFileSync("pg_dump", [...options, databaseUrl], { encoding: "utf8", maxBuffer: 1 << 28 });
const sql = dump.replace(/^(?:--.*|\\.*)?\n/gm, "");
writeFileSync(join(import.meta.dirname, `${name}.sql.gz`), gzipSync(sql, { level: 9 }));
writeFileSync(join(import.meta.dirname, `${name}.json`), `${JSON.stringify(recorded, null, 2)}\n`);
for (const action of ofTest.after) await action();
rmSync(folder, { recursive: true });
