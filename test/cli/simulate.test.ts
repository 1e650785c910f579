import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as bodyOf } from "node:stream/consumers";
import { test, type TestContext } from "node:test";

import { readAirlines } from "../../src/products/air/sources/airlines/airlines-file.ts";
import { readCarriers } from "../../src/products/ocean/sources/carriers.ts";
import { readFeeds } from "../../src/products/schedules/sources/feeds-file.ts";
import { until } from "../faults/until.ts";
import { run } from "./run.ts";
import { listening } from "./shell.ts";

/** Starts a simulation, hands what it printed to `use`, and tells it to end. */
async function simulating(words: readonly string[], use: (out: string) => Promise<void>): Promise<number> {
  let end = () => {};
  const interrupted = new Promise<void>((resolve) => (end = resolve));
  let written = "";
  let complete = (_out: string) => {};
  const printed = new Promise<string>((resolve) => (complete = resolve));
  const running = run(["simulate", "--boxes", "200", ...words], {
    interrupted,
    onOut(text) {
      written += text;
      if (/Ctrl-C|\n\}\n$/.test(written)) complete(written);
    },
  });
  try {
    await use(await printed);
  } finally {
    end();
  }
  return (await running).status;
}

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "boathook-simulate-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

test("the carriers of a simulation are ones that the service can be set up with", async (t) => {
  const path = join(await folderFor(t), "carriers.json");
  const status = await simulating(["--carriers-file", path, "--json"], async (out) => {
    const said = JSON.parse(out) as { url: string; references: { reference: string; carrier: string }[] };
    const read = readCarriers(await readFile(path, "utf8"));
    assert.equal(read.kind, "entries");
    assert.ok(read.kind === "entries" && read.entries.length === 14);
    const scacs = read.entries.map(({ scac }) => scac);
    assert.ok(said.references.length > 1);
    for (const { carrier } of said.references) assert.ok(scacs.includes(carrier));
    assert.ok(read.entries.every(({ baseUrl }) => baseUrl.startsWith(said.url)));
  });
  assert.equal(status, 0);
});

test("a key that is missing or wrong is refused by a carrier that asks for one", async () => {
  await simulating(["--json"], async (out) => {
    const { url } = JSON.parse(out) as { url: string };
    const form = new URLSearchParams({ client_id: "dove-client", client_secret: "wrong" });
    const token = await fetch(`${url}/DOVE/token`, { method: "POST", body: form });
    assert.equal(token.status, 401);
    const events = await fetch(`${url}/JAYL/events?equipmentReference=JAYU0000000`);
    assert.equal(events.status, 401);
  });
});

test("what it shows is registered with a running service, once each", async (t) => {
  const asked: string[] = [];
  const url = await listening(t, (request, response) => {
    void bodyOf(request).then((body) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization} ${body}`);
      response.writeHead(201).end("{}");
    });
  });
  let shown: string[] = [];
  await simulating(["--track", url, "--key", "tracking_x", "--json"], async (out) => {
    const { references, air } = JSON.parse(out) as Told;
    shown = [
      ...references.map(
        ({ reference }) => `POST /tracking/v1/containers Bearer tracking_x {"reference":"${reference}"}`,
      ),
      ...air.waybills.map(({ awb }) => `GET /air/track/${awb} Bearer tracking_x `),
    ];
  });
  assert.deepEqual(asked, shown);
});

test("a world that runs is tracked, and no other begins", async (t) => {
  const asked: string[] = [];
  const url = await listening(t, (request, response) => {
    void bodyOf(request).then((body) => {
      asked.push(`${request.url} ${body}`);
      response.writeHead(201).end("{}");
    });
  });
  const track = ["--track", url, "--key", "tracking_x"];
  await simulating(["--json"], async (out) => {
    const { url: world, references } = JSON.parse(out) as Told & { url: string };
    const words = ["simulate", "--port", new URL(world).port, ...track];
    const attached = await run(words);
    assert.deepEqual([attached.status, attached.err], [0, ""]);
    assert.match(attached.out, /^Tracked what the world on port \d+ shows: /);
    assert.equal(asked[0], `/tracking/v1/containers {"reference":"${references[0]!.reference}"}`);
    const pushing = await run([...words, "--push", "http://127.0.0.1:1", "--operator-token", "x"]);
    assert.equal(pushing.status, 2);
    assert.match(pushing.err, /start that one with --push/);
  });
});

test("a waybill whose airline has not answered is tracked; what else fails is reported", async (t) => {
  const waiting: (readonly [number, string])[] = [
    [503, '{"error":{"code":"airline_unavailable","message":"later"}}'],
    [404, '{"error":{"code":"waybill_not_found","message":"later"}}'],
    [503, "<h1>no service</h1>"],
  ];
  const failed: string[] = [];
  const url = await listening(t, (request, response) => {
    const [status, body] = (request.url!.startsWith("/air/") && waiting.shift()) || ([200, "{}"] as const);
    if (body.startsWith("<")) failed.push(request.url!.slice("/air/track/".length));
    response.writeHead(status).end(body);
  });
  const track = ["--track", url];
  await simulating(["--json"], async (out) => {
    const { url: world } = JSON.parse(out) as Told & { url: string };
    const port = new URL(world).port;
    const { status, err } = await run(["simulate", "--port", port, ...track, "--key", "tracking_x"]);
    assert.deepEqual([status, err], [0, `${failed[0]} is not tracked: 503 <h1>no service</h1>\n`]);
  });
});

test("waybills of airlines that the service does not have are reported in one line", async (t) => {
  const code = '{"error":{"code":"unknown_airline","message":"none has the prefix"}}';
  const url = await listening(t, (request, response) => {
    const isWaybill = request.url!.startsWith("/air/");
    response.writeHead(isWaybill ? 404 : 200).end(isWaybill ? code : "{}");
  });
  await simulating(["--json"], async (out) => {
    const { url: world, air } = JSON.parse(out) as Told & { url: string };
    const words = ["simulate", "--port", new URL(world).port, "--track", url, "--key", "tracking_x"];
    const { status, err } = await run(words);
    assert.equal(status, 0);
    const { length } = air.waybills;
    assert.match(err, new RegExp(`^${length} of ${length} waybills are not tracked: .+--airlines-file.+\n$`));
  });
});

test("a wrong key ends it at once, with one sentence", async (t) => {
  let asked = 0;
  const url = await listening(t, (_request, response) => {
    asked += 1;
    response.writeHead(401).end('{"ok":false,"error":{"code":"UNAUTHORIZED"}}');
  });
  const { status, err } = await run(["simulate", "--boxes", "200", "--track", url, "--key", "tracking_x"]);
  assert.deepEqual([status, asked], [1, 1]);
  assert.match(err, /^http:\/\/127\.0\.0\.1:\d+ refuses the key: .*UNAUTHORIZED.*\n$/);
});

type Told = {
  readonly references: readonly { readonly reference: string }[];
  readonly air: {
    readonly url: string;
    readonly waybills: readonly { readonly awb: string; readonly airline: string }[];
  };
};

test("the airlines of a simulation are ones that the service can be set up with", async (t) => {
  const path = join(await folderFor(t), "airlines.json");
  await simulating(["--airlines-file", path, "--waybills", "300", "--json"], async (out) => {
    const { air } = JSON.parse(out) as Told;
    const read = readAirlines(await readFile(path, "utf8"));
    assert.ok(read.kind === "entries" && read.entries.length === 8, JSON.stringify(read));
    const asked = read.entries.filter(({ sources }) => sources.some(({ kind }) => kind !== "push"));
    assert.ok(air.waybills.length > 1);
    for (const { airline } of air.waybills) assert.ok(asked.some(({ iata }) => iata === airline));
    const answer = await fetch(`${air.url}/1Q/fsr`, { method: "POST", body: "FSR\r\n941-00000000\r\n" });
    assert.match(await answer.text(), /NO RECORD FOUND/);
  });
});

test("the feeds of a simulation are ones that the service can be set up with, and answer as their standards say", async (t) => {
  const path = join(await folderFor(t), "schedules.json");
  await simulating(["--schedules-file", path, "--json"], async (out) => {
    const { schedules } = JSON.parse(out) as { schedules: { url: string } };
    const read = readFeeds(await readFile(path, "utf8"));
    assert.ok(read.kind === "entries" && read.entries.length === 11, JSON.stringify(read));
    assert.ok(read.entries.every(({ url }) => url?.startsWith(schedules.url)));
    const today = new Date().toISOString().slice(0, 10);
    const byPort = await fetch(`${schedules.url}/myna-ports?UNLocationCode=SGSIN&date=${today}`, {
      headers: { "x-api-key": "myna-key" },
    });
    assert.ok([200, 429, 503].includes(byPort.status));
    const whole = await fetch(`${schedules.url}/kite-ovs?startDate=${today}&endDate=2099-01-01`);
    assert.equal(whole.status, 200);
    const [service] = (await whole.json()) as readonly { readonly carrierServiceCode: string }[];
    assert.equal(service?.carrierServiceCode, "K1");
    const alone = await fetch(`${schedules.url}/kite-ovs?startDate=${today}&cursor=e30`);
    assert.equal(alone.status, 400);
    const unknown = await fetch(`${schedules.url}/loon-cs?carrierServiceCode=L1&startDate=${today}`);
    assert.equal(unknown.status, 401);
  });
});

test("the world whose file is written is described first", async (t) => {
  const path = join(await folderFor(t), "schedules.json");
  await simulating(["--schedules-file", path], async (out) => {
    assert.match(out, /^\d+ feeds of sailing schedules are at /);
    assert.ok(out.indexOf(path) < out.indexOf("References to try:"));
    assert.match(out, /\nEnd it with Ctrl-C\.\n$/);
  });
});

test("what airlines push goes to the operator's listener", async (t) => {
  const pushed: string[] = [];
  const url = await listening(t, (request, response) => {
    void bodyOf(request).then((body) => {
      pushed.push(`${request.method} ${request.url} ${request.headers.authorization} ${body}`);
      response.writeHead(202).end("{}");
    });
  });
  await simulating(["--push", url, "--operator-token", "op", "--json"], async () => {
    await until(() => pushed.length > 0, "something is pushed");
  });
  assert.match(pushed[0]!, /^POST \/v1\/air\/messages Bearer op \{"messages":\["[^"]*FSU\/1[2-5]/);
  assert.match(pushed[0]!, /"received_at":"\d{4}-\d\d-\d\dT[\d:.]+Z"\}$/);
});

test("a simulation overwrites its own files, and others only with --force", async (t) => {
  const folder = await folderFor(t);
  const [carriers, schedules] = [join(folder, "carriers.json"), join(folder, "schedules.json")];
  const words = ["--carriers-file", carriers, "--schedules-file", schedules, "--json"];
  await simulating(words, async () => {});
  const first = await readFile(carriers, "utf8");
  await simulating(words, async (out) => {
    const { url } = JSON.parse(out) as { url: string };
    assert.ok((await readFile(carriers, "utf8")).includes(url), "the second's port is in it");
  });
  const written = await readFile(carriers, "utf8");
  assert.equal(written.length, first.length);

  const own = [
    JSON.stringify([{ scac: "HLCU", baseUrl: "https://api.example.com" }]),
    written.replace("http://127.0.0.1:", "https://api.example.com:"),
    "not JSON",
    "{}",
    "[null]",
  ];
  for (const text of own) {
    await writeFile(schedules, text);
    const { status, err } = await run(["simulate", "--boxes", "200", ...words]);
    assert.deepEqual([status, await readFile(schedules, "utf8")], [1, text]);
    assert.match(err, /schedules\.json is there already and is no simulation's: .*--force\n$/);
    assert.equal(await readFile(carriers, "utf8"), written, "all are written or none");
  }
  await simulating([...words, "--force"], async () => {});
  assert.equal(readFeeds(await readFile(schedules, "utf8")).kind, "entries");
});

test("it reports once why the operator's listener refuses messages", async (t) => {
  let asked = 0;
  const url = await listening(t, (_request, response) => {
    asked += 1;
    response.writeHead(401).end('{"error":{"code":"UNAUTHORIZED"}}');
  });
  let end = () => {};
  const interrupted = new Promise<void>((resolve) => (end = resolve));
  const running = run(["simulate", "--boxes", "200", "--push", url, "--operator-token", "wrong"], {
    interrupted,
  });
  await until(() => asked > 1, "it is tried again");
  end();
  const { status, err } = await running;
  assert.equal(status, 0);
  assert.match(
    err,
    /^What airlines push is not taken, .*: http:\/\/127\.0\.0\.1:\d+ answers 401 .*UNAUTHORIZED.*\n$/,
  );
});

test("one sentence refuses an address without a key", async () => {
  const { status, err } = await run(["simulate", "--track", "http://127.0.0.1:1"]);
  assert.equal(status, 2);
  assert.match(err, /--track and --key go together/);
});
