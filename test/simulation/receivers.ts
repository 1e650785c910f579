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
import { type Arrival, headerOf, isSuccess, seconds } from "./observed.ts";
import type { Receives } from "./story.ts";
import { after, type Owner, worldMs } from "./time.ts";
import { see, type World } from "./world.ts";

/** An attempt in all. */
export const ATTEMPT_MS = 4_000;
/** What an attempt may take longer, and how long before its end an answer surely arrives. */
const SLACK_MS = 500;

export type Receivers = {
  /** The sender of a node, as the service makes it, to the receivers. */
  openSender(from: Node, options: SenderOptions): Sender;
  /** To one of their addresses. */
  onConnection(socket: SimulatedSocket): void;
};

type Attempt = {
  readonly from: Node;
  readonly arrival: { -readonly [Key in keyof Arrival]: Arrival[Key] };
  /** Each time its request has arrived: twice where a connection was lost that had been idle. */
  readonly receipts: Receipt[];
};

/** `begun`: the status of an answer whose end may not have left. */
type Receipt = { begun: number | null; status: number | null; answeredMs: number };

type State = {
  readonly world: World;
  /** Attempts that have begun and not ended, by `keyOf`. */
  readonly open: Map<string, Attempt>;
};

export function openReceivers(world: World): Receivers {
  const state: State = { world, open: new Map() };
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (text: string) => (body += text));
    request.on("end", () => receive(state, request, body, response));
  });
  return {
    onConnection: (socket) => void server.emit("connection", socket),
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
  const { world, open } = state;
  const arrival = {
    url: request.url,
    node: from.name,
    atMs: worldMs(),
    headers: namedOf(request.headers),
    body: request.body.toString(),
    answered: "nothing yet",
    broken: null,
    endedMs: Number.POSITIVE_INFINITY,
  };
  const attempt: Attempt = { from, arrival, receipts: [] };
  const key = keyOf(from.owner, arrival.headers);
  open.set(key, attempt);
  world.arrivals.push(arrival);
  sender.send(request, (result, peer) => {
    open.delete(key);
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
  world.wrong.push(...wrongOfOutcome(world, attempt, result));
  if (result.kind === "unsent") {
    see(world, "nothing is sent", from);
    if (receipts.length === 0) world.arrivals.splice(world.arrivals.indexOf(arrival), 1);
    return;
  }
  world.counts.attempts += 1;
  const id = headerOf(arrival.headers, "delivery");
  const number = (world.attempts.get(id) ?? 0) + 1;
  world.attempts.set(id, number);
  see(world, `attempt ${Math.min(number, 6)} ${isSuccess(arrival) ? "succeeds" : "fails"}`, from);
}

/** How long a name may be known that has changed: its time to live, and a second more. */
const NAME_KNOWN_MS_MAX = 6_000;

/** An outcome says what the receiver did, in the time that an attempt has (spec 8). */
function wrongOfOutcome(
  { faults, hosts, weather }: World,
  { arrival, from, receipts }: Attempt,
  result: SendResult,
): readonly string[] {
  const { url, atMs, endedMs, answered } = arrival;
  const what = `an attempt to ${url} from ${seconds(atMs)} to ${seconds(endedMs)}`;
  const last = receipts.at(-1);
  if (receipts.length > 2) return [`${what} arrived ${receipts.length} times`];
  if (result.kind === "answered")
    return last?.status === result.statusCode
      ? []
      : [`${what} ended with ${answered}, and its receiver answered ${last?.status ?? "nothing"}`];
  if (result.kind === "failed" && result.statusCode !== null && last?.begun !== result.statusCode)
    return [`${what} broke off after ${result.statusCode}, which its receiver did not answer`];
  if (faults.some(({ node, fromMs, untilMs }) => node === from.name && fromMs <= endedMs && untilMs >= atMs))
    return [];
  if (result.kind === "unsent")
    return weather.areNamesSilent || faults.some(({ kind, untilMs }) => kind === "names" && untilMs >= atMs)
      ? []
      : [`${what} could not be made: ${answered}`];
  if (receipts.length === 0 && hosts.isSteady(url, atMs - NAME_KNOWN_MS_MAX))
    return [`${what} ended with ${answered}, and nothing arrived at its receiver`];
  if (endedMs - atMs > ATTEMPT_MS + SLACK_MS) return [`${what} took too long`];
  return typeof last?.status === "number" && last.answeredMs < atMs + ATTEMPT_MS - SLACK_MS
    ? [`${what} ended with ${answered}, and its receiver answered ${last.status}`]
    : [];
}

function receive({ world, open }: State, request: IncomingMessage, body: string, response: ServerResponse) {
  const { socket, headers, url } = request;
  const sender = (socket as unknown as SimulatedSocket).peer?.owner;
  const named = new Map(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const to = `https://${headers.host}${url}`;
  const attempt = sender && open.get(keyOf(sender, named));
  const receipt: Receipt = { begun: null, status: null, answeredMs: Number.POSITIVE_INFINITY };
  if (attempt !== undefined) {
    attempt.receipts.push(receipt);
    if (attempt.arrival.url !== to)
      world.wrong.push(`what was meant for ${attempt.arrival.url} went to ${to}`);
    Object.assign(attempt.arrival, { headers: named, body });
  }
  const how = world.weather.isHealed ? "ok" : (world.receives.get(to) ?? "ok");
  const [status, tookMs] = answerOf(how, world.chance);
  if (status === null) return void (how === "hang" || after(tookMs, () => socket.destroy()));
  const style = styleOf(world.chance());
  after(tookMs, () => {
    if (socket.destroyed) return;
    response.sendDate = false;
    receipt.begun = status;
    style(response, status);
    response.once("finish", () => Object.assign(receipt, { status, answeredMs: worldMs() }));
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
