/**
 * `GET /v1/events/stream`: what the account's endpoints would get, as it is raised, for a receiver on a developer's
 * machine (`boathook listen`).
 *
 *     asked ─▶ a page ─▶ sent ─▶ full: the next page
 *       ▲                  └──▶ not full: a pause ─┐      a slow reader holds up its own page
 *       └──────────────────────────────────────────┘
 *
 * Transactions do not commit in the order of their events' ids. What is younger than SETTLED_MS waits, so that no event
 * appears behind one that was sent, and the last id is all that resuming takes.
 */
import { Readable } from "node:stream";

import Type from "typebox";

import { buildDeliveryBody } from "../../model/delivery-body.ts";
import { StoreUnavailable } from "../../model/errors.ts";
import { firstUuidOf, readUuid } from "../../model/uuid.ts";
import { SECOND_MS } from "../../runtime/durations.ts";
import { pause } from "../../runtime/sleep.ts";
import { readEvents } from "../../store/deliveries/event-stream.ts";
import { refusalSchemas, textAnswer } from "../answer-schema.ts";
import { callerIn, callerOf, type HttpCaller } from "../authenticate.ts";
import { refuse } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import type { ProductContext } from "../ports.ts";
import type { Refusal } from "../refusal.ts";
import { STREAMS_PER_ACCOUNT_MAX } from "../streams.ts";

const POLL_MS = SECOND_MS;
/** Longer than a transaction that raises takes, and than nodes' clocks are apart. */
export const SETTLED_MS = 2 * SECOND_MS;
/** Shorter than proxies wait for the next byte. */
const HEARTBEAT_MS = 15 * SECOND_MS;
/** When a client comes back. */
const RETRY_MS = 2 * SECOND_MS;
const BUFFER_BYTES = 64 * 1024;

const HEADER_ERROR: Refusal = {
  code: "INVALID_REQUEST",
  message: "headers.last-event-id must be the id of an event of this stream; leave it out to begin now",
};

const TOO_MANY: Refusal = {
  code: "RATE_LIMITED",
  message: `too many streams are open; an account may have ${STREAMS_PER_ACCOUNT_MAX}`,
  headers: { "retry-after": "5" },
};

export function eventStreamRoute(app: Listener, context: ProductContext): void {
  const { product, clock, streams } = context;
  const schema = {
    operationId: "streamEvents",
    tags: ["Deliveries"],
    summary: "Follow events as they are raised",
    description:
      "Server-sent events, for development; nothing is signed or retried. Each has the event's id, its type and the body of a delivery, " +
      `whatever your endpoints subscribe to, ${SETTLED_MS / SECOND_MS} to ${(SETTLED_MS + POLL_MS) / SECOND_MS} seconds after it was raised. ` +
      "An id alone keeps the connection open, and says where to go on. The stream ends with its key or session, and for an upgrade.",
    headers: Type.Object({
      "last-event-id": Type.Optional(
        Type.String({
          description: "go on behind this event; without it, begin now",
          stated: { format: "uuid" },
        }),
      ),
    }),
    response: {
      200: textAnswer("text/event-stream"),
      ...refusalSchemas(product, []),
    },
  };

  const options = { schema, exposeHeadRoute: false, config: { isEndless: true } };
  app.get("/v1/events/stream", options, async (request, reply) => {
    const caller = callerOf(request);
    const lastId = request.headers["last-event-id"];
    const afterId = lastId === undefined ? firstUuidOf(clock.nowMs()) : readUuid(lastId);
    if (afterId === null) return refuse(reply, product, HEADER_ERROR);
    const stream = streams.open(caller.account.id);
    if (stream === null) return refuse(reply, product, TOO_MANY);
    reply.raw.once("close", stream.close);
    const isGood = async () => (await callerIn(request, context))?.account.cell === caller.account.cell;
    const text = textFrom(context, caller, isGood, afterId, stream.signal);
    // Proxies pass it on at once. The listener, when it closes, need not wait for the connection's next request.
    reply.type("text/event-stream").headers({
      "x-accel-buffering": "no",
      connection: "close",
      // For `boathook listen`, whose headers name the product.
      "x-webhooks-product": product.headerTag,
    });
    return reply.send(Readable.from(text, { objectMode: false, highWaterMark: BUFFER_BYTES }));
  });
}

async function* textFrom(
  context: ProductContext,
  caller: HttpCaller,
  isGood: () => Promise<boolean>,
  fromId: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { clock } = context;
  let afterId = fromId;
  let saidMs = clock.monotonicMs();
  // An id alone is no event, and says where to go on.
  yield `retry: ${RETRY_MS}\nid: ${afterId}\n\n`;
  while (!signal.aborted) {
    const page = await nextPage(context, caller, isGood, afterId);
    if (page === "over") return;
    for (const { id, type, occurredAt, data } of page.events) {
      yield messageOf(id, type, buildDeliveryBody(id, type, occurredAt.getTime(), data));
    }
    if (page.events.length > 0) saidMs = clock.monotonicMs();
    afterId = page.afterId;
    if (page.isFull) continue;
    await pause(clock, POLL_MS, signal);
    if (clock.monotonicMs() - saidMs < HEARTBEAT_MS) continue;
    yield `id: ${afterId}\n\n`;
    saidMs = clock.monotonicMs();
  }
}

/** `over`: the key is revoked, the session over, or the account gone. Without the database: nothing yet. */
async function nextPage(
  { product, database, clock }: ProductContext,
  { account, cell }: HttpCaller,
  isGood: () => Promise<boolean>,
  afterId: string,
) {
  const beforeId = firstUuidOf(clock.nowMs() - SETTLED_MS);
  try {
    if (!(await isGood())) return "over";
    if (beforeId <= afterId) return { events: [], isFull: false, afterId };
    const owner = { accountId: account.id, product: product.tag };
    const page = await readEvents(database, cell, owner, { afterId, beforeId });
    return { ...page, afterId: page.isFull ? page.events.at(-1)!.id : beforeId };
  } catch (cause) {
    if (cause instanceof StoreUnavailable) return { events: [], isFull: false, afterId };
    throw cause;
  }
}

/** As in the HTML standard. JSON has line ends between its tokens only. */
function messageOf(id: string, type: string, body: string): string {
  const lines = body.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `id: ${id}\nevent: ${type}\n${lines.join("")}\n`;
}
