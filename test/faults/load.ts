/** Events, and callers that give them away again and again. */
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import type { RaisedEvent } from "../../src/model/event.ts";
import { atEnd } from "./endings.ts";
import type { Raising } from "./process.ts";
import type { Scene } from "./scene.ts";

export const TYPES = {
  common: "vessel_departed",
  lessCommon: "container_available",
  rare: "container_delivered",
} as const;

const CONTAINER_ID = "0199a2b4-7c00-7000-8000-000000000001";

/** One in this many is of the rare type: an endpoint that fails many deliveries delays the end of the test. */
const RARE_EVERY = 24;

function typeOf(number: number): string {
  if (number % RARE_EVERY === 0) return TYPES.rare;
  return number % 4 < 2 ? TYPES.common : TYPES.lessCommon;
}

/** Events that nobody has raised yet, in turn for each account; with keys, they may be given away again and again. */
export function draw(
  scene: Scene,
  count: number,
  keyed = false,
  accounts: readonly string[] = [...new Set(scene.endpoints.map((endpoint) => endpoint.accountId))],
): readonly NumberedEvent[] {
  return Array.from({ length: count }, () => {
    const number = scene.given++;
    return {
      number,
      product: "tracking",
      accountId: accounts[number % accounts.length]!,
      type: typeOf(number),
      data: JSON.stringify({
        number,
        container_id: CONTAINER_ID,
        previous_status: "pre_departure",
        new_status: "in_transit",
        note: "n".repeat(number % 300),
      }),
      occurredAtMs: Date.now(),
      ...(keyed ? { dedupKey: `key ${number}` } : {}),
    };
  });
}

export type NumberedEvent = RaisedEvent & { readonly number: number };

/** Gives events away and keeps the books; true when they were accepted. */
export async function give(scene: Scene, to: Raising, events: readonly NumberedEvent[]): Promise<boolean> {
  const answer = await to.raise(events.map(({ number: _, ...event }) => event));
  if (answer === "unavailable") scene.refused += 1;
  if (answer !== "accepted") return false;
  for (const event of events) scene.accepted.set(event.number, event);
  return true;
}

/** After a call that nobody took. */
const AGAIN_MS = 20;

export type Load = { stop(): Promise<void> };

/**
 * Callers that raise events, one call after the other, at the node or service that accepts them at that moment.
 * Every other caller uses keys and repeats a call until it is accepted; the rest give up on a failed call.
 */
export function startLoad(
  t: TestContext,
  scene: Scene,
  to: () => Raising | null,
  { callers = 4, eventsACall = 5, pauseMs = 10, keys = true } = {},
): Load {
  let over = false;
  const run = async (_: unknown, caller: number): Promise<void> => {
    const keyed = keys && caller % 2 === 1;
    let events: readonly NumberedEvent[] | null = null;
    while (!over) {
      const target = to();
      if (target === null) {
        await sleep(AGAIN_MS);
        continue;
      }
      events ??= draw(scene, eventsACall, keyed);
      const isTaken = await give(scene, target, events);
      if (isTaken || !keyed) events = null;
      await sleep(isTaken ? pauseMs : AGAIN_MS);
    }
  };
  const running = Promise.all(Array.from({ length: callers }, run));
  // A caller that throws fails the test when the load is stopped.
  running.catch(() => undefined);
  atEnd(t, () => {
    over = true;
  });
  return {
    async stop() {
      over = true;
      await running;
    },
  };
}
