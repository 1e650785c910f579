/**
 * The sender beside a bare undici dispatch loop: signed POSTs to one warm origin, to 200 and, on cold
 * connections that resume their TLS sessions, to 5,000 in turn. Both sides of a pair run alternately, each
 * several times; medians.
 *
 *      node bench/send.ts [--seconds 2] [--rounds 5] [--json]
 */
import { fork } from "node:child_process";
import { createHmac, createSecretKey } from "node:crypto";
import { cpus } from "node:os";
import { createSecureContext } from "node:tls";
import { parseArgs } from "node:util";

import { buildConnector, Pool, type Dispatcher } from "undici";

import { addressPolicy } from "../src/engine/send/address.ts";
import { createSender } from "../src/engine/send/attempt.ts";
import { DEFAULT_ENGINE_SETTINGS } from "../src/engine/settings.ts";
import { createAuthority, validAround } from "../src/runtime/certificates.ts";
import type { DnsLookup } from "../src/runtime/dns-lookup.ts";
import { startSystemClock } from "../src/runtime/system-clock.ts";

const { values: settings } = parseArgs({
  options: {
    seconds: { type: "string", default: "2" },
    rounds: { type: "string", default: "5" },
    only: { type: "string", default: "" },
    json: { type: "boolean", default: false },
  },
});

const CONNECTIONS_PER_ORIGIN = 16;
const BODY = JSON.stringify({
  id: "0".repeat(36),
  type: "bench",
  occurred_at: "2026-01-01T00:00:00Z",
  data: "x".repeat(300),
});
const SCENARIOS = [
  { name: "1 warm origin", origins: 1, inFlight: 64, path: "/warm" },
  { name: "200 warm origins", origins: 200, inFlight: 256, path: "/warm" },
  { name: "5,000 cold origins", origins: 5_000, inFlight: 64, path: "/cold" },
] as const;

/** Starts one request to the origin of that number and calls back when it has ended. */
type Start = (origin: number, ended: (ok: boolean) => void) => void;
type Side = { readonly start: Start; close(): Promise<unknown> };

const key = createSecretKey(Buffer.alloc(32, 7));
const signature = (): string => `sha256=${createHmac("sha256", key).update(BODY).digest("hex")}`;
const headers = (): string[] => ["content-type", "application/json", "X-Bench-Signature", signature()];
const hostOf = (origin: number): string => `h${origin}.bench.test`;
const addressOf = (origin: number): string => `127.1.${origin >> 8}.${origin & 255}`;

const nowMs = Date.now();
const authority = await createAuthority(nowMs);
const { cert, key: certKey } = await authority.issue({ hosts: ["*.bench.test"], ...validAround(nowMs) });
const secureContext = createSecureContext({ ca: authority.cert, minVersion: "TLSv1.2" });
const receiver = fork(new URL("./send-receiver.ts", import.meta.url), {
  env: {
    ...process.env,
    BENCH_CERTIFICATE: JSON.stringify([cert, certKey]),
    BENCH_BODY_BYTES: String(BODY.length),
  },
});
const port = await new Promise<number>((resolve) =>
  receiver.once("message", resolve as (port: unknown) => void),
);

function ours(origins: number, path: string): Side {
  const clock = startSystemClock({ debug() {}, info() {}, warn() {}, error() {} });
  const lookUp: DnsLookup = (hostname, family, done) => {
    done(
      null,
      family === 4
        ? [{ address: addressOf(Number(hostname.slice(1, hostname.indexOf(".")))), ttlS: 300 }]
        : [],
    );
  };
  const policy = addressPolicy(["127.0.0.0/8"]);
  const sender = createSender({
    clock,
    policy,
    dnsLookup: lookUp,
    secureContext,
    connectionsPerOriginMax: CONNECTIONS_PER_ORIGIN,
    timeoutMs: DEFAULT_ENGINE_SETTINGS.attemptTimeoutMs,
  });
  const urls = Array.from({ length: origins }, (_, origin) => `https://${hostOf(origin)}:${port}${path}`);
  return {
    start(origin, ended) {
      sender.send({ url: urls[origin]!, headers: headers(), body: BODY }, (outcome) =>
        ended(outcome.kind === "answered"),
      );
    },
    close() {
      clock.stop();
      return sender.close();
    },
  };
}

function bareUndici(origins: number, path: string): Side {
  const connectTls = buildConnector({
    secureContext,
    maxCachedSessions: 10_000,
    allowH2: false,
  });
  const connect: typeof connectTls = (options, done) => {
    const origin = Number(options.hostname.slice(1, options.hostname.indexOf(".")));
    connectTls({ ...options, hostname: addressOf(origin), servername: options.hostname }, done);
  };
  const pools = Array.from(
    { length: origins },
    (_, origin) =>
      new Pool(`https://${hostOf(origin)}:${port}`, {
        connect,
        connections: origins === 1 ? CONNECTIONS_PER_ORIGIN : 2,
        allowH2: false,
        keepAliveTimeout: 60_000,
      }),
  );
  return {
    start(origin, ended) {
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd: () => ended(true),
        onResponseError: () => ended(false),
      };
      pools[origin]!.dispatch({ path, method: "POST", headers: headers(), body: BODY }, handler);
    },
    close: () => Promise.all(pools.map((pool) => pool.destroy())),
  };
}

/** `perSecond` depends on who else uses the machine, `cpuUs` (of this process, a request) hardly. */
type Rate = { readonly perSecond: number; readonly cpuUs: number };

/** Keeps `inFlight` requests open, origin after origin, and counts what ends well each second. */
function measure(
  start: Start,
  origins: number,
  inFlight: number,
  requests: number,
  seconds: number,
): Promise<Rate> {
  return new Promise((resolve, reject) => {
    let next = 0;
    let open = 0;
    let done = 0;
    const beganMs = performance.now();
    const cpuBegan = process.cpuUsage();
    const rate = (): Rate => {
      const { user, system } = process.cpuUsage(cpuBegan);
      return { perSecond: (done / (performance.now() - beganMs)) * 1_000, cpuUs: (user + system) / done };
    };
    const isOver = (): boolean => next >= requests && performance.now() - beganMs >= seconds * 1_000;
    const ended = (ok: boolean): void => {
      open -= 1;
      if (!ok) return reject(new Error("a request failed"));
      done += 1;
      if (!isOver()) begin();
      else if (open === 0) resolve(rate());
    };
    const begin = (): void => {
      open += 1;
      start(next++ % origins, ended);
    };
    for (let i = 0; i < inFlight; i++) begin();
  });
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
const medians = (rates: readonly Rate[]): Rate => ({
  perSecond: Math.round(median(rates.map((rate) => rate.perSecond))),
  cpuUs: Math.round(median(rates.map((rate) => rate.cpuUs)) * 10) / 10,
});

const rows = [];
for (const { name, origins, inFlight, path } of SCENARIOS) {
  if (!name.includes(settings.only)) continue;
  const sides = { ours: ours(origins, path), bare: bareUndici(origins, path) };
  const rates: Record<keyof typeof sides, Rate[]> = { ours: [], bare: [] };
  const seconds = Number(settings.seconds);
  for (const side of ["ours", "bare"] as const)
    await measure(sides[side].start, origins, inFlight, origins * 2, 0.5);
  for (let round = 0; round < Number(settings.rounds); round++) {
    for (const side of round % 2 === 0 ? (["ours", "bare"] as const) : (["bare", "ours"] as const)) {
      rates[side].push(await measure(sides[side].start, origins, inFlight, 0, seconds));
    }
  }
  const [sender, bare] = [medians(rates.ours), medians(rates.bare)];
  rows.push({
    scenario: name,
    sender: sender.perSecond,
    bareUndici: bare.perSecond,
    ratio: Math.round((sender.perSecond / bare.perSecond) * 1_000) / 1_000,
    senderCpuUs: sender.cpuUs,
    bareCpuUs: bare.cpuUs,
  });
  await Promise.all([sides.ours.close(), sides.bare.close()]);
}
receiver.disconnect();
const machine = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`;
if (settings.json) console.log(JSON.stringify({ machine, unit: "requests a second", rows }));
else {
  console.log(machine);
  console.table(rows);
}
