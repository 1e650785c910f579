/** The airlines that push: each message goes to the operator's listener once its time has come. */
import type { Clock } from "../world/clock.ts";
import type { Airport } from "./airport.ts";
import { pushedMessages } from "./life.ts";
import { messageOf } from "./message.ts";

export type PushOptions = {
  readonly airport: Airport;
  readonly clock: Pick<Clock, "after">;
  /** The airport's time, milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** Takes messages, first to last. Rejects or answers false where it could not: they come again. */
  readonly deliver: (messages: readonly string[]) => Promise<boolean>;
};

/** What the operator's listener takes at once. */
const MESSAGES_MAX = 200;
const PUSH_INTERVAL_MS = 1_000;

/** What is due and has not been delivered is kept by its place alone: a message is written when it is sent. */
type PushDue = { readonly saidMs: number; readonly index: number; readonly number: number };

/** What was said before the world was first served is pushed at once. Returns how to stop it. */
export function startPushing({ airport, clock, nowMs, deliver }: PushOptions): () => void {
  const due = pushesOf(airport);
  let next = 0;
  let stopped = false;
  let cancel = (): void => {};
  const tick = async (): Promise<void> => {
    while (!stopped && next < due.length && due[next]!.saidMs <= nowMs()) {
      const batch = due.slice(next, next + MESSAGES_MAX).filter(({ saidMs }) => saidMs <= nowMs());
      const taken = await deliver(batch.map((one) => textOf(airport, one))).catch(() => false);
      if (!taken) break;
      next += batch.length;
    }
    if (!stopped) cancel = clock.after(PUSH_INTERVAL_MS, () => void tick());
  };
  void tick();
  return () => {
    stopped = true;
    cancel();
  };
}

/** All that is ever pushed, in the order in which it is said. */
function pushesOf(airport: Airport): readonly PushDue[] {
  const due: PushDue[] = [];
  for (let index = 0; index < airport.waybillCount; index += 1) {
    const pushed = pushedMessages(airport.lifeOf(airport.waybillAt(index)));
    for (const [number, [first]] of pushed.entries()) {
      due.push({ saidMs: first!.reportedMs, index, number });
    }
  }
  return due.toSorted((a, b) => a.saidMs - b.saidMs);
}

function textOf(airport: Airport, { index, number, saidMs }: PushDue): string {
  const life = airport.lifeOf(airport.waybillAt(index));
  return messageOf("FSU", life.waybill, pushedMessages(life)[number]!, saidMs);
}
