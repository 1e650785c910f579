/** The load, a process of its own: raises events over `POST /v1/events`. */
import { Pool } from "undici";

import { eventOf, SEQUENCE_FIRST } from "../setting/events.ts";
import { answerCalls } from "./calls.ts";

type Target = { readonly ops: string; readonly token: string; readonly accountIds: readonly string[] };

export type FullLoad = {
  readonly eventsPerRequest: number;
  readonly requestsOpen: number;
  readonly seconds: number;
};

export type PacedLoad = {
  readonly eventsPerRequest: number;
  readonly eventsPerSecond: number;
  readonly seconds: number;
};

/** At least as many requests as make every account come up; made before the clock starts. */
const BODIES_MIN = 20;

let target: Target;
let pool: Pool;
let headers: string[] = [];
/** Of full load; each goes on where the last ended, so that hosts come up in turn. */
let requests = 0;

async function post(body: string | Buffer): Promise<void> {
  const answer = await pool.request({ path: "/v1/events", method: "POST", headers, body });
  const text = await answer.body.text();
  if (answer.statusCode !== 202) throw new Error(`POST /v1/events answered ${answer.statusCode}: ${text}`);
}

function bodyFrom(first: number, events: number): string {
  const texts: string[] = [];
  for (let index = first; index < first + events; index++) {
    texts.push(eventOf(target.accountIds[index % target.accountIds.length]!, SEQUENCE_FIRST + index));
  }
  return `{"events":[${texts.join(",")}]}`;
}

const calls = {
  async aim(at: Target): Promise<void> {
    await pool?.close();
    target = at;
    requests = 0;
    pool = new Pool(at.ops, { connections: 64, pipelining: 1 });
    headers = ["authorization", `Bearer ${at.token}`, "content-type", "application/json"];
  },
  /** As fast as the answers come, with a bounded number of requests open. Accounts take turns. */
  async full({ eventsPerRequest, requestsOpen, seconds }: FullLoad): Promise<{ raised: number }> {
    const count = Math.max(BODIES_MIN, Math.ceil(target.accountIds.length / eventsPerRequest));
    const bodies = Array.from({ length: count }, (_, index) =>
      Buffer.from(bodyFrom(index * eventsPerRequest, eventsPerRequest)),
    );
    const endMs = performance.now() + seconds * 1_000;
    const firstRequest = requests;
    const lane = async (): Promise<void> => {
      while (performance.now() < endMs) await post(bodies[requests++ % count]!);
    };
    await Promise.all(Array.from({ length: requestsOpen }, lane));
    return { raised: (requests - firstRequest) * eventsPerRequest };
  },
  /** At a given rate, whatever the answers; each event has a number of its own, counted from 0. */
  async paced({ eventsPerRequest, eventsPerSecond, seconds }: PacedLoad): Promise<{ raised: number }> {
    const startedMs = performance.now();
    const open = new Set<Promise<void>>();
    let raised = 0;
    for (;;) {
      const passedMs = performance.now() - startedMs;
      if (passedMs >= seconds * 1_000) break;
      while (raised + eventsPerRequest <= (passedMs * eventsPerSecond) / 1_000) {
        const request = post(bodyFrom(raised, eventsPerRequest));
        open.add(request);
        void request.then(() => open.delete(request));
        raised += eventsPerRequest;
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await Promise.all(open);
    return { raised };
  },
};

export type RaisingCalls = typeof calls;

answerCalls(calls);
