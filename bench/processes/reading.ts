/** Reads endpoints over the public API, a process of its own, and times each answer. */
import { Pool } from "undici";

import { answerCalls } from "./calls.ts";

export type Reader = { readonly key: string; readonly endpointId: string };

const calls = {
  /** `reads` requests, `open` at a time; returns the milliseconds of each. */
  async read(plan: {
    origin: string;
    readers: readonly Reader[];
    reads: number;
    open: number;
  }): Promise<Float64Array> {
    const pool = new Pool(plan.origin, { connections: plan.open, pipelining: 1 });
    const tookMs = new Float64Array(plan.reads);
    let started = 0;
    const lane = async (): Promise<void> => {
      while (started < plan.reads) {
        const index = started++;
        const { key, endpointId } = plan.readers[index % plan.readers.length]!;
        const beganMs = performance.now();
        const answer = await pool.request({
          path: `/tracking/v1/webhooks/${endpointId}`,
          method: "GET",
          headers: { authorization: `Bearer ${key}` },
        });
        const text = await answer.body.text();
        tookMs[index] = performance.now() - beganMs;
        if (answer.statusCode !== 200)
          throw new Error(`reading an endpoint answered ${answer.statusCode}: ${text}`);
      }
    };
    await Promise.all(Array.from({ length: plan.open }, lane));
    await pool.close();
    return tookMs;
  },
};

export type ReadingCalls = typeof calls;

answerCalls(calls);
