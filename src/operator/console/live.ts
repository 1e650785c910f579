/**
 * `GET /v1/live`: what the console shows as it changes, as server-sent events. All streams share one reading.
 *
 *     idle ─(a stream opens)─▶ reading every STEP_MS ─(none is open, or the gate closes)─▶ idle
 *
 * A stream ends when the service stops, and the browser then asks again until there is a service that answers.
 */
import { Readable } from "node:stream";

import { textAnswer } from "../../http/answer-schema.ts";
import type { Listener } from "../../http/listener.ts";
import type { Cancel } from "../../runtime/clock.ts";
import { refuse } from "../errors.ts";
import type { OperatorContext } from "../ports.ts";
import { readStatus } from "../status.ts";

/** Below the idle time of listeners and proxies: it is the heartbeat, too. */
const STEP_MS = 10_000;
/** Tabs, of all operators together. */
const STREAMS_MAX = 50;
/** What a stream may hold for a reader that does not read; then it ends. */
const HELD_BYTES_MAX = 1024 * 1024;
const RETRY_S = 5;

export function liveRoute(app: Listener, context: OperatorContext): void {
  const { clock, gate, history } = context;
  const open = new Set<Readable>();
  let cancel: Cancel = () => undefined;
  let isReading = false;
  let last = "";

  async function read(): Promise<void> {
    const sample = (await history?.("hour"))?.at(-1);
    const status = await readStatus(context).then(
      (found) => frame("status", found),
      () => frame("trouble", { message: "the database does not answer" }),
    );
    last = sample === undefined ? status : `${status}${frame("sample", sample)}`;
  }

  async function step(): Promise<void> {
    isReading = open.size > 0;
    last = "";
    if (!isReading) return;
    await read();
    for (const stream of open) {
      if (stream.readableLength > HELD_BYTES_MAX) stream.destroy();
      else stream.push(last);
    }
    cancel = clock.after(STEP_MS, () => void step());
  }

  const schema = {
    summary: "Follow the status as it changes",
    response: { 200: textAnswer("text/event-stream") },
  };
  app.get("/v1/live", { schema, config: { isEndless: true } }, async (_request, reply) => {
    if (open.size >= STREAMS_MAX) {
      const message = `${STREAMS_MAX} pages are open already; close one`;
      return refuse(reply, { code: "UNAVAILABLE", message, headers: { "retry-after": String(RETRY_S) } });
    }
    const stream = new Readable({ read: () => undefined });
    stream.push(`retry: ${RETRY_S * 1_000}\n\n${last}`);
    open.add(stream);
    stream.once("close", () => open.delete(stream));
    if (!isReading) void step();
    return reply.headers({ "content-type": "text/event-stream", "x-accel-buffering": "no" }).send(stream);
  });
  const end = (): void => {
    cancel();
    for (const stream of open) stream.push(null);
  };
  gate?.closing.addEventListener("abort", end, { once: true });
  app.addHook("preClose", async () => end());
}

function frame(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
