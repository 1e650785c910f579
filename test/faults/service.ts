/** `boathook serve` as a process of its own, spoken to over HTTP alone. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";

import type { RaisedEvent } from "../../src/model/event.ts";
import { newAccount, operatorAt, productAt } from "../support/clients.ts";
import { QUICK_HEARTBEATS } from "../service/boathook.ts";
import { watch, type End, type RaiseAnswer, type Raising } from "./process.ts";
import type { Manner } from "./receiver.ts";
import type { Scene, SceneEndpoint } from "./scene.ts";

export type ServiceProcess = Raising & {
  readonly pid: number;
  readonly publicUrl: string;
  readonly opsUrl: string;
  readonly ended: Promise<End>;
  kill(): Promise<void>;
  /** SIGTERM; how it ended. */
  terminate(): Promise<End>;
  /** The same, and throws unless it ended well. */
  stop(): Promise<void>;
};

export const OPERATOR_TOKEN = "operator-token-of-the-tests-of-faults";

/** What `QUICK` is to a node. */
export const QUICK_ENVIRONMENT = {
  BOATHOOK_RETRY_WAITS: "150ms,200ms,250ms,300ms,350ms,400ms",
  BOATHOOK_SWEEP_INTERVAL: "500ms",
  BOATHOOK_DISABLE_AFTER_FAILURES: "1000000",
  BOATHOOK_DRAIN_TIMEOUT: "5s",
};

const PROJECT = join(import.meta.dirname, "..", "..");

/** Starts `serve`, `within` what runs another command; resolves when it listens. `environment` wins over what every test needs. */
export async function startServe(
  t: TestContext,
  scene: Scene,
  environment: Readonly<Record<string, string>>,
  within: readonly string[] = [],
): Promise<ServiceProcess> {
  const command = [...within, process.execPath, join(PROJECT, "bin", "boathook.js"), "serve"];
  const child = spawn(command[0]!, command.slice(1), {
    cwd: PROJECT,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      BOATHOOK_WORKERS: "1",
      ...QUICK_HEARTBEATS,
      BOATHOOK_LISTEN: "127.0.0.1:0",
      BOATHOOK_OPS_LISTEN: "127.0.0.1:0",
      BOATHOOK_OPERATOR_TOKEN: OPERATOR_TOKEN,
      BOATHOOK_MASTER_KEY: scene.masterKey,
      BOATHOOK_ALLOW_PRIVATE_TARGETS: "127.0.0.0/8",
      BOATHOOK_EXTRA_CA_FILE: scene.receiver.caFile,
      BOATHOOK_RATE_LIMIT_PER_KEY: "1000000",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = watch(t, child);
  const listening = new Promise<{ public: string; ops: string }>((resolve, reject) => {
    createInterface(child.stdout).once("line", (line) => resolve(JSON.parse(line)));
    void ended.then((end) => reject(new Error(`serve ended before it listened: ${JSON.stringify(end)}`)));
  });
  const { public: publicUrl, ops: opsUrl } = await listening;
  const terminate = (): Promise<End> => {
    child.kill("SIGTERM");
    return ended;
  };
  return {
    pid: child.pid!,
    publicUrl,
    opsUrl,
    ended,
    terminate,
    raise: (events) => raiseOver(opsUrl, events),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    async stop() {
      assert.deepEqual(await terminate(), { code: 0, signal: null }, "serve ends well");
    },
  };
}

async function raiseOver(opsUrl: string, events: readonly RaisedEvent[]): Promise<RaiseAnswer> {
  const sent = events.map(({ product, accountId, type, data, occurredAtMs, dedupKey }) => ({
    product,
    account_id: accountId,
    type,
    data: JSON.parse(data) as Readonly<Record<string, unknown>>,
    occurred_at: new Date(occurredAtMs).toISOString(),
    ...(dedupKey === undefined ? {} : { dedup_key: dedupKey }),
  }));
  const { tryAsking } = operatorAt(opsUrl, OPERATOR_TOKEN);
  const answer = await tryAsking("POST /v1/events", {}, { events: sent }).catch((cause: unknown) => {
    // Refused, reset or ended half-way: the process is gone, or going.
    if ((cause as Error).name === "TimeoutError") throw cause;
    return null;
  });
  if (answer === null) return "unknown";
  if (answer.ok) return "accepted";
  if (answer.failure.status === 503) return "unavailable";
  throw new Error(`raising was answered ${JSON.stringify(answer.failure)}`);
}

export type Client = { readonly accountId: string; readonly key: string };

/** An account with a key of the ocean product. */
export function newClient({ opsUrl }: ServiceProcess): Promise<Client> {
  return newAccount(opsUrl, OPERATOR_TOKEN);
}

/** Registers an endpoint over the API, and tells the receiver what to expect. */
export async function register(
  scene: Scene,
  { publicUrl }: ServiceProcess,
  { accountId, key }: Client,
  manner: Manner,
  eventTypes: readonly string[] = [],
): Promise<SceneEndpoint> {
  const path = `/${scene.endpoints.length}`;
  const url = scene.receiver.url + path;
  const { ask } = productAt(`${publicUrl}/tracking`, key);
  const { id, secret } = (await ask("POST /v1/webhooks", {}, { url, event_types: eventTypes })).data;
  scene.receiver.expect(path, secret, manner);
  const endpoint = { id, accountId, path, eventTypes, delivers: true };
  scene.endpoints.push(endpoint);
  return endpoint;
}
