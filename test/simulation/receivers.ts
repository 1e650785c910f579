/** The receivers of a world: every attempt arrives, and is answered as its receiver does at that time. */
import type { Sender, SendRequest } from "../../src/engine/send/attempt.ts";
import { attemptError } from "../../src/engine/send/errors.ts";
import type { SendDone, SendResult } from "../../src/model/delivery.ts";
import type { Node } from "./node.ts";
import type { Arrival } from "./observed.ts";
import type { Receives } from "./story.ts";
import { after, worldMs } from "./time.ts";
import { see, type World } from "./world.ts";

/** An attempt in all. */
export const ATTEMPT_MS = 4_000;

/** What stands in for the connections of a node to endpoints. */
export function openReceiver(world: World, from: Node): Sender {
  return {
    send: (request, done) => receive(world, from, request, done),
    prepare: () => undefined,
    close: async () => undefined,
    connectionCount: () => 0,
  };
}

function receive(world: World, from: Node, request: SendRequest, done: SendDone): void {
  world.counts.attempts += 1;
  const { url } = request;
  const how = world.weather.isHealed ? "ok" : (world.receives.get(url) ?? "ok");
  const [answered, tookMs] = answerOf(how, world.chance);
  const arrival: Arrival = {
    url,
    node: from.name,
    atMs: worldMs(),
    headers: headersOf(request),
    body: request.body.toString(),
    answered,
    endedMs: Number.POSITIVE_INFINITY,
  };
  world.arrivals.push(arrival);
  world.note(`${from.name} sends to ${url}, answered ${answered}: ${arrival.body}`);
  const id = arrival.headers.entries().find(([name]) => name.endsWith("-delivery"))?.[1] ?? "";
  const number = (world.attempts.get(id) ?? 0) + 1;
  world.attempts.set(id, number);
  const answer = () => {
    arrival.endedMs = worldMs();
    const isTaken = typeof answered === "number" && answered < 300;
    see(world, `attempt ${Math.min(number, 6)} ${isTaken ? "succeeds" : "fails"}`, from);
    done(resultOf(answered));
  };
  after(tookMs, answer, from.owner);
}

function headersOf({ headers }: SendRequest): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  for (let at = 0; at < headers.length; at += 2) named.set(headers[at]!.toLowerCase(), headers[at + 1]!);
  return named;
}

function resultOf(answered: Arrival["answered"]): SendResult {
  if (typeof answered === "number") return { kind: "answered", statusCode: answered };
  const code = answered === "timeout" ? "timeout" : "connection_refused";
  return { kind: "failed", error: attemptError(code), statusCode: null };
}

/** What an attempt is answered with, and after how long. */
function answerOf(how: Receives, chance: () => number): readonly [Arrival["answered"], number] {
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
      return ["timeout", ATTEMPT_MS];
    case "refuse":
      return ["refused", quickMs];
    case "flaky":
      return [chance() < 0.5 ? 200 : 503, quickMs];
  }
}
