/** The load of `bench/peers`, a process of its own: one message a request, in the form that the service takes. */
import { Pool } from "undici";

import { dataOf, SEQUENCE_FIRST } from "../setting/events.ts";
import { wallOffset } from "../setting/wall-clock.ts";
import { answerCalls } from "./calls.ts";

/** Where messages go, and what stands around the data of each endpoint's. */
export type Target = {
  readonly origin: string;
  readonly path: string;
  readonly token: string;
  readonly frames: readonly { readonly before: string; readonly after: string }[];
};

let target: Target;
let pool: Pool;

async function post(index: number): Promise<void> {
  const { before, after } = target.frames[index % target.frames.length]!;
  const answer = await pool.request({
    path: target.path,
    method: "POST",
    headers: ["authorization", `Bearer ${target.token}`, "content-type", "application/json"],
    body: before + dataOf(SEQUENCE_FIRST + index) + after,
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 202) throw new Error(`a message was answered ${answer.statusCode}: ${text}`);
}

const calls = {
  async aim(at: Target): Promise<void> {
    await pool?.close();
    target = at;
    pool = new Pool(at.origin, { connections: 64, pipelining: 1 });
  },
  /** As fast as the answers come; endpoints take turns. Returns how many. */
  async full({ open, seconds }: { open: number; seconds: number }): Promise<number> {
    const endMs = performance.now() + seconds * 1_000;
    let posted = 0;
    const one = async (): Promise<void> => {
      while (performance.now() < endMs) await post(posted++);
    };
    await Promise.all(Array.from({ length: open }, one));
    return posted;
  },
  /** At a rate, whatever the answers. Returns when each message was posted, milliseconds since the epoch. */
  async paced({ perSecond, seconds }: { perSecond: number; seconds: number }): Promise<Float64Array> {
    const offsetMs = wallOffset();
    const startedMs = performance.now();
    const postedAtMs = new Float64Array(Math.floor(perSecond * seconds));
    const open: Promise<void>[] = [];
    while (open.length < postedAtMs.length) {
      const due = Math.floor(((performance.now() - startedMs) * perSecond) / 1_000);
      while (open.length < Math.min(due, postedAtMs.length)) {
        postedAtMs[open.length] = offsetMs + performance.now();
        open.push(post(open.length));
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await Promise.all(open);
    return postedAtMs;
  },
};

export type PostingCalls = typeof calls;

answerCalls(calls);
