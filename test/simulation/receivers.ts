/**
 * The receivers of a world. Nodes send to them by the service's own sender; each attempt is noted when it begins, and what
 * it came to is compared with what its receiver did.
 *
 *     attempt ─▶ name (`hosts.ts`) ─▶ connection (`network.ts`) ─▶ request ─▶ answer, in one of many ways ─▶ outcome
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { SecureContext } from "node:tls";

import {
  createSender,
  type Sender,
  type SenderOptions,
  type SendRequest,
} from "../../src/engine/send/attempt.ts";
import type { SendResult } from "../../src/model/delivery.ts";
import type { SimulatedSocket } from "./network.ts";
import type { Node } from "./node.ts";
import { type Arrival, headerOf, isSuccess, LOST } from "./observed.ts";
import { type EndedAttempt, type Receipt, wrongOfOutcome } from "./outcomes.ts";
import { TTL_S } from "./hosts.ts";
import type { Receives } from "./story.ts";
import { after, type Owner, worldMs } from "./time.ts";
import { see, type World } from "./world.ts";

/** An attempt in all. */
export const ATTEMPT_MS = 4_000;
/** Until a name that has changed is known everywhere, and a second more. */
const NAME_KNOWN_MS_MAX = 1_000 * TTL_S + 1_000;
/** Until what a node sent before an attempt ended has arrived. */
const ARRIVED_MS_MAX = 100;

export type Receivers = {
  /** The sender of a node, as the service makes it, to the receivers. */
  openSender(from: Node, options: SenderOptions): Sender;
  /** To one of their addresses. */
  onConnection(socket: SimulatedSocket): void;
  /** Ends the attempts of nodes that are dead, when these died. */
  endAbandoned(): void;
};

type Attempt = {
  readonly from: Node;
  readonly arrival: { -readonly [Key in keyof Arrival]: Arrival[Key] };
  /** Each time its request has arrived: twice where a connection was lost that had been idle. */
  readonly receipts: { -readonly [Key in keyof Receipt]: Receipt[Key] }[];
};

type State = {
  readonly world: World;
  /** Attempts that have begun and not ended, by `keyOf`. */
  readonly open: Map<string, Attempt>;
  /** When the last attempt has ended, by `keyOf`. */
  readonly ended: Map<string, number>;
};

export function openReceivers(world: World): Receivers {
  const state: State = { world, open: new Map(), ended: new Map() };
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (text: string) => (body += text));
    request.on("end", () => receive(state, request, body, response));
  });
  return {
    onConnection: (socket) => void server.emit("connection", socket),
    endAbandoned() {
      for (const { arrival, from, receipts } of state.open.values()) {
        if (from.diedMs === null) continue;
        arrival.endedMs = from.diedMs;
        arrival.answered = receipts.at(-1)?.status ?? LOST;
      }
    },
    openSender(from, options) {
      const sender = createSender({
        ...options,
        dnsLookup: world.hosts.lookup,
        // Nobody checks certificates here.
        secureContext: {} as SecureContext,
      });
      return { ...sender, send: (request, done) => send(state, from, sender, request, done) };
    },
  };
}

function keyOf(owner: Owner, headers: ReadonlyMap<string, string>): string {
  return `${owner.number} ${headerOf(headers, "delivery")}`;
}

function send(
  state: State,
  from: Node,
  sender: Sender,
  request: SendRequest,
  done: Parameters<Sender["send"]>[1],
): void {
  const { world, open, ended } = state;
  const arrival: Attempt["arrival"] = {
    url: request.url,
    node: from.name,
    atMs: worldMs(),
    headers: namedOf(request.headers),
    body: request.body.toString(),
    answered: LOST,
    broken: null,
    endedMs: Number.POSITIVE_INFINITY,
  };
  const attempt: Attempt = { from, arrival, receipts: [] };
  const key = keyOf(from.owner, arrival.headers);
  open.set(key, attempt);
  world.arrivals.push(arrival);
  sender.send(request, (result, peer) => {
    if (open.get(key) === attempt) open.delete(key);
    ended.set(key, worldMs());
    end(world, attempt, result);
    done(result, peer);
  });
}

function end(world: World, attempt: Attempt, result: SendResult): void {
  const { arrival, from, receipts } = attempt;
  arrival.endedMs = worldMs();
  arrival.answered = result.kind === "answered" ? result.statusCode : result.error.code;
  arrival.broken = result.kind === "failed" ? result.statusCode : null;
  world.note(`${from.name} has sent to ${arrival.url}: ${arrival.answered}: ${arrival.body}`);
  const { faults, silences, hosts } = world;
  const isSteady = hosts.isSteady(arrival.url, arrival.atMs - NAME_KNOWN_MS_MAX);
  const circumstances = { attemptMs: ATTEMPT_MS, faults, silences, isSteady };
  world.wrong.push(...wrongOfOutcome({ ...arrival, outcome: outcomeOf(result), receipts }, circumstances));
  if (result.kind === "unsent") {
    see(world, "nothing is sent", from);
    // It may have arrived on a connection that was closing: it counts as little as one that has not.
    if (receipts.every(({ begun }) => begun === null))
      world.arrivals.splice(world.arrivals.indexOf(arrival), 1);
    return;
  }
  world.counts.attempts += 1;
  const id = headerOf(arrival.headers, "delivery");
  const number = (world.attempts.get(id) ?? 0) + 1;
  world.attempts.set(id, number);
  see(world, `attempt ${Math.min(number, 6)} ${isSuccess(arrival) ? "succeeds" : "fails"}`, from);
}

function outcomeOf(result: SendResult): EndedAttempt["outcome"] {
  switch (result.kind) {
    case "answered":
      return { kind: "answered", status: result.statusCode };
    case "failed":
      return { kind: "failed", code: result.error.code, status: result.statusCode };
    case "unsent":
      return { kind: "unsent", code: result.error.code };
  }
}

function receive(
  { world, open, ended }: State,
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
) {
  const { socket, headers, url } = request;
  const from = (socket as unknown as SimulatedSocket).peer?.owner;
  const named = new Map(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const to = `https://${headers.host}${url}`;
  const attempt = from && open.get(keyOf(from, named));
  const receipt: Attempt["receipts"][number] = {
    begun: null,
    status: null,
    answeredMs: Number.POSITIVE_INFINITY,
  };
  if (attempt !== undefined) {
    attempt.receipts.push(receipt);
    if (attempt.arrival.url !== to)
      world.wrong.push(`what was meant for ${attempt.arrival.url} went to ${to}`);
    Object.assign(attempt.arrival, { headers: named, body });
  } else if (from !== undefined && from.state !== "dead") {
    const endedMs = ended.get(keyOf(from, named)) ?? Number.NEGATIVE_INFINITY;
    if (endedMs + ARRIVED_MS_MAX < worldMs()) world.wrong.push(`${from.name} sent to ${to} in no attempt`);
  }
  const how = world.weather.isHealed ? "ok" : (world.receives.get(to) ?? "ok");
  const [status, tookMs] = answerOf(how, world.chance);
  if (status === null) return void (how === "hang" || after(tookMs, () => socket.destroy()));
  const style = styleOf(world.chance());
  after(tookMs, () => {
    if (socket.destroyed) return;
    response.sendDate = false;
    receipt.begun = status;
    response.once("finish", () => Object.assign(receipt, { status, answeredMs: worldMs() }));
    style(response, status);
  });
}

function namedOf(headers: readonly string[]): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  for (let at = 0; at < headers.length; at += 2) named.set(headers[at]!.toLowerCase(), headers[at + 1]!);
  return named;
}

const PIECE = "so it is. ".repeat(40);

/** How an answer leaves: whole or in pieces, after another, and what becomes of its connection. */
const STYLES: readonly ((response: ServerResponse, status: number) => void)[] = [
  (response, status) => void response.writeHead(status, { "content-length": 2 }).end("ok"),
  (response, status) => void response.writeHead(status).end(),
  (response, status) => {
    response.writeHead(status).write(PIECE);
    after(5, () => response.end(PIECE));
  },
  (response, status) => {
    response.writeProcessing();
    after(5, () => response.writeHead(status).end());
  },
  (response, status) => void response.writeHead(status, { connection: "close" }).end("bye"),
  // It goes without a word: the next request may have left.
  (response, status) => {
    const { socket } = response;
    response.writeHead(status, { "content-length": 0 }).end();
    after(20, () => void socket?.destroy());
  },
];

function styleOf(chance: number) {
  return STYLES[Math.floor(chance * STYLES.length)]!;
}

/** What an attempt is answered with, if it is, and after how long. */
function answerOf(how: Receives, chance: () => number): readonly [number | null, number] {
  const quickMs = 1 + chance() * 20;
  switch (how) {
    case "ok":
      return [200, quickMs];
    case "created":
      return [201, quickMs];
    case "error":
      return [chance() < 0.5 ? 500 : 404, quickMs];
    case "redirect":
      return [301, quickMs];
    case "slow":
      return [200, 500 + chance() * 3_000];
    case "hang":
    case "reset":
      return [null, quickMs];
    case "flaky":
      return [chance() < 0.5 ? 200 : 503, quickMs];
  }
}
