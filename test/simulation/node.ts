/** Nodes of the real service, each a part of this process: started, killed, frozen, woken. */
import { readConfiguration } from "../../src/runtime/configuration.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import type { Log } from "../../src/runtime/log.ts";
import type { Random } from "../../src/runtime/random.ts";
import { monotonicUuids } from "../../src/runtime/system-random.ts";
import { products } from "../../src/products/index.ts";
import type { Sender, SenderOptions } from "../../src/engine/send/attempt.ts";
import { type Service, startService } from "../../src/service/service.ts";
import { abandonSockets } from "./network.ts";
import { DATABASE_URL } from "./postgres.ts";
import { chanceOf } from "./chance.ts";
import { START_MS } from "./beginning.ts";
import { after, asOwner, type Owner, worldMs } from "./time.ts";

export type Node = {
  readonly name: string;
  readonly owner: Owner;
  readonly ports: { readonly api: number; readonly operator: number };
  /** Set once it serves. */
  service: Service | null;
  /** Why it did not start. */
  failure: unknown;
  /** Its clock beside the world's. */
  skewMs: number;
  diedMs: number | null;
};

export type NodePorts = {
  readonly seed: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Its warnings and errors. */
  readonly say: (line: string) => void;
  readonly openSender: (options: SenderOptions) => Sender;
};

export const OPERATOR_TOKEN = "operator-token-of-the-simulation";
const MASTER_KEY = Buffer.alloc(32, 7).toString("base64");

export function startNode(number: number, ports: NodePorts): Node {
  const name = `node ${number}`;
  const owner: Owner = { name, number, state: "running", waiting: [] };
  const node: Node = {
    name,
    owner,
    ports: { api: 8_000 + number, operator: 9_000 + number },
    service: null,
    failure: null,
    skewMs: 0,
    diedMs: null,
  };
  const read = readConfiguration(
    {
      BOATHOOK_DATABASE_URL: DATABASE_URL,
      BOATHOOK_MASTER_KEY: MASTER_KEY,
      BOATHOOK_OPERATOR_TOKEN: OPERATOR_TOKEN,
      BOATHOOK_LISTEN: `127.0.0.1:${node.ports.api}`,
      BOATHOOK_OPS_LISTEN: `127.0.0.1:${node.ports.operator}`,
      BOATHOOK_WORKERS: "1",
      ...ports.environment,
    },
    products,
    "service",
  );
  if (read.kind === "invalid") throw new Error(read.message);
  asOwner(owner, () => {
    startService(read.settings, {
      clock: clockOf(node),
      random: randomOf(chanceOf(ports.seed)),
      log: logOf(ports.say),
      openSender: ports.openSender,
    }).then(
      (service) => (node.service = service),
      (cause: unknown) => (node.failure = cause),
    );
  });
  return node;
}

/** As SIGKILL: nothing of it runs any more, and its connections close. */
export function killNode(node: Node): void {
  const { owner } = node;
  node.diedMs ??= worldMs();
  owner.state = "dead";
  owner.waiting.length = 0;
  abandonSockets(owner);
}

/** As SIGSTOP: what reaches it waits. */
export function freezeNode({ owner }: Node): void {
  if (owner.state === "running") owner.state = "frozen";
}

export function wakeNode({ owner }: Node): void {
  if (owner.state !== "frozen") return;
  owner.state = "running";
  for (const action of owner.waiting.splice(0)) after(0, action, owner);
}

function clockOf(node: Node): Clock {
  return {
    nowMs: () => Math.floor(START_MS + worldMs() + node.skewMs),
    monotonicMs: worldMs,
    after: (delayMs, action) => after(delayMs, action, node.owner),
  };
}

function randomOf(chance: () => number): Random {
  const fill = (target: Buffer): void => {
    for (let at = 0; at < target.length; at++) target[at] = Math.floor(chance() * 256);
  };
  return {
    uuid: monotonicUuids(fill),
    bytes(count) {
      const bytes = Buffer.alloc(count);
      fill(bytes);
      return bytes;
    },
    fraction: chance,
  };
}

function logOf(say: (line: string) => void): Log {
  const at = (level: string) => (fields: object, text: string) => say(`${level}: ${text}${causeOf(fields)}`);
  return { debug: () => undefined, info: () => undefined, warn: at("warn"), error: at("error") };
}

function causeOf(fields: object): string {
  const { cause, err = cause } = fields as { readonly cause?: unknown; readonly err?: unknown };
  return err instanceof Error ? ` (${err.message})` : "";
}
