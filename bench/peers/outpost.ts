/**
 * Hookdeck Outpost in one process (all its services), with Redis, RabbitMQ and, for its record, the PostgreSQL that
 * Boathook embeds. Settings are Outpost's own, but for those given; its telemetry is off.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";

import pg from "pg";

import { connectionConfig, type DatabaseAddress } from "../../src/store/database.ts";
import { EVENT_TYPE } from "../setting/events.ts";
import { startPostgres } from "../setting/postgres.ts";
import type { Bench } from "../setting/bench.ts";
import { freePorts, startProgram, until, type Peer } from "./peer.ts";

export type OutpostPrograms = {
  /** `outpost-server` lies beside it. */
  readonly outpost: string;
  readonly redis: string;
  readonly rabbitmq: string;
};

const DATABASE = "outpost";
const API_KEY = "bench";
const START_MS_MAX = 60_000;

export function outpost(
  name: string,
  programs: OutpostPrograms,
  settings: Readonly<Record<string, string>>,
): Peer {
  return { name, start: (bench) => start(bench, programs, settings) };
}

async function start(
  bench: Bench,
  programs: OutpostPrograms,
  settings: Readonly<Record<string, string>>,
): ReturnType<Peer["start"]> {
  const [api, redisPort, amqp, distribution, names] = (await freePorts(5)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const folder = bench.newFolder();
  const postgres = await startPostgres(bench, bench.newFolder(), "empty");
  await postgres.client.query(`create database ${DATABASE}`);
  const redis = await startProgram(bench, join(folder, "redis"), [
    programs.redis,
    ...["--bind", "127.0.0.1", "--port", String(redisPort)],
  ]);
  const rabbitmq = await startRabbitmq(bench, join(folder, "rabbitmq"), programs, {
    amqp,
    distribution,
    names,
  });
  for (const port of [redisPort, amqp]) await until(`port ${port}`, START_MS_MAX, () => accepts(port));
  const env = {
    API_PORT: String(api),
    API_KEY,
    API_JWT_SECRET: "bench",
    AES_ENCRYPTION_SECRET: "0123456789abcdef0123456789abcdef",
    TOPICS: EVENT_TYPE,
    REDIS_PORT: String(redisPort),
    RABBITMQ_SERVER_URL: `amqp://guest:guest@127.0.0.1:${amqp}`,
    POSTGRES_URL: urlOf(postgres.address),
    SSL_CERT_FILE: bench.caFile,
    DISABLE_TELEMETRY: "true",
    LOG_LEVEL: "error",
    ...settings,
  };
  execFileSync(programs.outpost, ["migrate", "apply", "--yes"], {
    env: { ...process.env, ...env },
    stdio: "ignore",
  });
  const service = await startProgram(bench, join(folder, "outpost"), [programs.outpost, "serve"], env);
  const origin = `http://127.0.0.1:${api}`;
  await until("Outpost", START_MS_MAX, async () => (await fetch(`${origin}/api/v1/healthz`)).ok);
  for (const [index, port] of bench.ports.entries()) await register(origin, index, port);
  const log = new pg.Client({ ...connectionConfig(postgres.address), database: DATABASE });
  await log.connect();
  return {
    target: {
      origin,
      path: "/api/v1/publish",
      token: API_KEY,
      frames: bench.ports.map((_, index) => ({
        before: `{"tenant_id":"t${index}","topic":"${EVENT_TYPE}","data":`,
        after: "}",
      })),
    },
    processes: {
      Outpost: service.pid,
      Redis: redis.pid,
      RabbitMQ: rabbitmq.pid,
      PostgreSQL: postgres.pid(),
    },
    async recorded() {
      const { rows } = await log.query<{ count: string }>(
        "select count(*) from attempts where status = 'success'",
      );
      return Number(rows[0]!.count);
    },
    async stop() {
      for (const program of [service, redis, rabbitmq]) await program.stop();
      await log.end();
      await postgres.stop();
    },
  };
}

function urlOf(address: DatabaseAddress): string {
  if ("url" in address) return address.url;
  const { user, socketFolder, port } = address;
  const query = new URLSearchParams({ host: socketFolder, port: String(port), sslmode: "disable" });
  return `postgres://${user}@/${DATABASE}?${query.toString()}`;
}

/** One tenant an endpoint. */
async function register(origin: string, index: number, port: number): Promise<void> {
  const call = async (method: string, path: string, body?: unknown): Promise<void> => {
    const response = await fetch(`${origin}/api/v1/tenants/${path}`, {
      method,
      headers: { authorization: `Bearer ${API_KEY}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  };
  await call("PUT", `t${index}`);
  await call("POST", `t${index}/destinations`, {
    type: "webhook",
    topics: ["*"],
    config: { url: `https://127.0.0.1:${port}/${index}` },
  });
}

/** A broker and a port mapper that only this machine reaches. */
async function startRabbitmq(
  bench: Bench,
  folder: string,
  programs: OutpostPrograms,
  ports: { readonly amqp: number; readonly distribution: number; readonly names: number },
) {
  const epmd = { ERL_EPMD_PORT: String(ports.names), ERL_EPMD_ADDRESS: "127.0.0.1" };
  await startProgram(bench, join(folder, "names"), ["epmd"], epmd);
  await until("epmd", START_MS_MAX, () => accepts(ports.names));
  return startProgram(bench, folder, [programs.rabbitmq], {
    ...epmd,
    HOME: folder,
    RABBITMQ_NODENAME: `bench${ports.amqp}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: "127.0.0.1",
    RABBITMQ_NODE_PORT: String(ports.amqp),
    RABBITMQ_DIST_PORT: String(ports.distribution),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: "-kernel inet_dist_use_interface {127,0,0,1}",
    RABBITMQ_MNESIA_BASE: folder,
    RABBITMQ_LOG_BASE: folder,
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, "plugins"),
    RABBITMQ_LOGS: "-",
  });
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.destroy();
  return true;
}
