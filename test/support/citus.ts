/**
 * A Citus cluster of a test's own: a coordinator and two workers on loopback, from the PostgreSQL of this machine that
 * has the extension (docs/testing.md: how to build one). It lasts for one test file and so runs without `fsync`.
 *
 * Each server runs under a shell that ends it when this process is gone, however it went.
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { appendFileSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { delimiter, join } from "node:path";

import pg from "pg";

import { thisHost } from "../../src/runtime/host.ts";
import { connectionConfig, type DatabaseAddress } from "../../src/store/database.ts";
import { readPidFile } from "../../src/store/embedded/postmaster.ts";
import { changeOwner, postgresUser, type SystemUser } from "../../src/store/embedded/user.ts";
import { databaseFolder } from "./database-folder.ts";
import { realClock } from "./real-clock.ts";

export type CitusNode = {
  readonly port: number;
  addressOf(database: string): DatabaseAddress;
  /** Ends it as a failed machine would, its sessions with it. */
  kill(): Promise<void>;
  /** SIGKILL to all its processes. */
  crash(): Promise<void>;
  /** SIGSTOP to all its processes: it stays connected and does not answer. */
  freeze(): void;
  wake(): void;
  start(): Promise<void>;
  /** Processor time of all its processes since they were started, ended ones included. */
  processorMs(): number;
};

export type CitusDatabase = {
  readonly name: string;
  readonly coordinator: DatabaseAddress;
  readonly workers: readonly DatabaseAddress[];
};

export type CitusCluster = {
  readonly coordinator: CitusNode;
  readonly workers: readonly CitusNode[];
  /** A database with nothing in it but Citus, which knows the workers. */
  createDatabase(name: string): Promise<CitusDatabase>;
  /** A database of the coordinator's alone, without Citus. */
  createPlainDatabase(name: string): Promise<DatabaseAddress>;
  /** Makes Citus of a plain database, as docs/scale.md says. */
  addCitus(name: string): Promise<CitusDatabase>;
  /** Ends all servers and removes what they wrote. */
  stop(): Promise<void>;
};

const SERVER_MAJOR_MIN = 15;
const WORKERS = 2;
const STARTED_MS_MAX = 30_000;
const USER = "boathook";
const ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

/** Standard input ends with this process. */
const SUPERVISED = '"$@" & read -r _; kill -QUIT $! 2>/dev/null; wait';

/** Why there can be no cluster here; false: there can. For the `skip` of a test. */
export function noCitus(): string | false {
  if (process.platform === "win32") return "Citus does not run on Windows";
  if (programs() !== null) return false;
  return `no PostgreSQL ${SERVER_MAJOR_MIN} or later with the extension citus (docs/testing.md#citus)`;
}

/** The folder of the programs of a PostgreSQL that has Citus. */
function programs(): string | null {
  const onPath = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "pg_config"));
  const usual = globSync("/usr/{lib/postgresql,pgsql-,local/pgsql}*/{*/,}bin/pg_config");
  for (const tool of [...onPath, ...usual.toSorted().toReversed()]) {
    if (!existsSync(tool)) continue;
    const [bin, share, version] = spawnSync(tool, ["--bindir", "--sharedir", "--version"], {
      encoding: "utf8",
    }).stdout.split("\n");
    const major = Number(/\d+/.exec(version ?? "")?.[0]);
    if (major < SERVER_MAJOR_MIN || !existsSync(join(share!, "extension", "citus.control"))) continue;
    // The packages of clients have no server.
    if (existsSync(join(bin!, "initdb"))) return bin!;
  }
  return null;
}

export async function startCitus(): Promise<CitusCluster> {
  const folder = mkdtempSync(join(databaseFolder(), "boathook-citus-"));
  const user = postgresUser(thisHost(), folder);
  changeOwner(user, folder);
  const nodes: (CitusNode & { stop(): Promise<void> })[] = [];
  const stop = async () => {
    for (const node of nodes) await node.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const port of await freePorts(1 + WORKERS)) {
      nodes.push(makeNode(programs()!, user, join(folder, String(port)), port));
    }
    await Promise.all(nodes.map((node) => node.start()));
  } catch (cause) {
    await stop();
    throw cause;
  }
  const coordinator = nodes[0]!;
  const workers = nodes.slice(1);
  const createPlainDatabase = async (name: string): Promise<DatabaseAddress> => {
    await ask(coordinator.addressOf("postgres"), `create database ${name}`);
    return coordinator.addressOf(name);
  };
  const cluster: CitusCluster = {
    coordinator,
    workers,
    stop,
    createPlainDatabase,
    async createDatabase(name) {
      await createPlainDatabase(name);
      return cluster.addCitus(name);
    },
    async addCitus(name) {
      for (const worker of workers) {
        await ask(worker.addressOf("postgres"), `create database ${name}`);
        await ask(worker.addressOf(name), "create extension citus");
      }
      const address = coordinator.addressOf(name);
      await ask(address, "create extension citus");
      await ask(address, `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
      for (const { port } of workers) await ask(address, `select citus_add_node('127.0.0.1', ${port})`);
      return { name, coordinator: address, workers: workers.map((worker) => worker.addressOf(name)) };
    },
  };
  return cluster;
}

/** Runs one plain statement. */
async function ask(address: DatabaseAddress, sql: string): Promise<void> {
  const client = new pg.Client(connectionConfig(address));
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function makeNode(bin: string, user: SystemUser | null, folder: string, port: number) {
  const own = { ...user, cwd: "/", env: ENVIRONMENT };
  mkdirSync(folder, { mode: 0o700 });
  changeOwner(user, folder);
  const options = ["-D", folder, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale", "-N"];
  const made = spawnSync(join(bin, "initdb"), options, { ...own, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  appendFileSync(join(folder, "postgresql.conf"), configuration(folder, port));
  const addressOf = (database: string): DatabaseAddress => ({
    url: `postgres://${USER}@127.0.0.1:${port}/${database}`,
  });
  let server: ChildProcess | null = null;
  const signal = (name: NodeJS.Signals) => {
    const pid = readPidFile(folder)?.pid;
    for (const one of pid === undefined ? [] : [pid, ...childrenOf(pid)]) sendTo(one, name);
  };
  const kill = async () => {
    if (server === null) return;
    const ended = new Promise((resolve) => server!.once("close", resolve));
    // Frozen ones hear nothing else.
    signal("SIGCONT");
    server.stdin!.end();
    await ended;
    server = null;
  };
  return {
    port,
    addressOf,
    kill,
    stop: kill,
    crash() {
      signal("SIGKILL");
      return kill();
    },
    freeze: () => signal("SIGSTOP"),
    wake: () => signal("SIGCONT"),
    processorMs() {
      const pid = readPidFile(folder)?.pid;
      if (pid === undefined) return 0;
      return processorMsOf(pid, true) + childrenOf(pid).reduce((ms, child) => ms + processorMsOf(child), 0);
    },
    async start() {
      const command = ["-c", SUPERVISED, "sh", join(bin, "postgres"), "-D", folder];
      server = spawn("/bin/sh", command, { ...own, stdio: ["pipe", "ignore", "ignore"] });
      await accepting(addressOf("postgres"));
    },
  };
}

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .trim()
    .split(" ")
    .filter(Boolean)
    .map(Number);
}

/** The process may have ended. */
function sendTo(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {}
}

const TICK_MS = 10;

/** `withEnded`: and that of its children that have ended. */
function processorMsOf(pid: number, withEnded = false): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    const ticks = fields.slice(11, withEnded ? 15 : 13).map(Number);
    return TICK_MS * ticks.reduce((sum, one) => sum + one, 0);
  } catch {
    return 0;
  }
}

function configuration(folder: string, port: number): string {
  return `
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = '${folder}'
shared_preload_libraries = 'citus'
citus.node_conninfo = 'sslmode=disable'
citus.enable_statistics_collection = off
wal_level = logical
max_prepared_transactions = 100
max_connections = 200
shared_buffers = 64MB
fsync = off
full_page_writes = off
logging_collector = on
`;
}

async function accepting(address: DatabaseAddress): Promise<void> {
  const startedMs = realClock.monotonicMs();
  for (;;) {
    try {
      return await ask(address, "select 1");
    } catch (cause) {
      if (realClock.monotonicMs() - startedMs > STARTED_MS_MAX) throw cause;
    }
    await new Promise<void>((resolve) => realClock.after(20, resolve));
  }
}

/** All are held until all are known, so that they differ. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once("listening", resolve))));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
