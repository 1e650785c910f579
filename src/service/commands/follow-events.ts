/**
 * Follows the stream of an account's events (`GET /v1/events/stream`), for `listen` and `tail`.
 *
 *     connect ─▶ events ─▶ ended, broken or silent ─▶ wait ─▶ connect, behind the last event
 *        ├─ 429, 5xx or no answer: wait, twice as long each time
 *        └─ another refusal: the command fails with what it says
 */
import { failureOf } from "@boathook/client";
import { EnvHttpProxyAgent, type Dispatcher } from "undici";

import { CommandError } from "../../cli/command.ts";
import { parseKey } from "../../model/api-key.ts";
import { createSummaries } from "../../model/summaries.ts";
import type { JsonObject } from "../../model/json.ts";
import { createReferenceReader, isWanted, wantedReference } from "../../model/references.ts";
import { products } from "../../products/index.ts";
import type { Clock } from "../../runtime/clock.ts";
import { SECOND_MS } from "../../runtime/durations.ts";
import { jsonLog } from "../../runtime/log.ts";
import type { ProcessContext } from "../../runtime/process-context.ts";
import { pause } from "../../runtime/sleep.ts";
import { startSystemClock } from "../../runtime/system-clock.ts";
import { keyOf, productUrl, proxiesOf, refusalOf, textOf, unreachable } from "./client-request.ts";

export type StreamedEvent = {
  readonly id: string;
  readonly type: string;
  readonly body: string;
  /** The product as header names have it, `Tracking`. */
  readonly headerTag: string;
};

const summaries = createSummaries(products);
const referencesOf = createReferenceReader(products);

/** In one line; null: there is no more to say than its type. */
export function summaryOf({ type, body, headerTag }: StreamedEvent): string | null {
  return summaries(productOf(headerTag), type, dataOf(body));
}

/** Empty: this build does not know it. */
function productOf(headerTag: string): string {
  return products.find((one) => one.headerTag === headerTag)?.tag ?? "";
}

function dataOf(body: string): JsonObject {
  return (JSON.parse(body) as { readonly data: JsonObject }).data;
}

/** Without a reference all events. Throws `CommandError` where it is none. */
function filterOf(reference: string | undefined): (event: StreamedEvent) => boolean {
  if (reference === undefined) return () => true;
  const wanted = wantedReference(reference);
  if (wanted === null)
    throw new CommandError("--reference must have a letter or a digit, as MSCU1234566 has.");
  return ({ headerTag, type, body }) =>
    referencesOf(productOf(headerTag), type, dataOf(body)).some((one) => isWanted(wanted, one));
}

export type StreamOptions = {
  readonly url: string;
  readonly key?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly after?: string | undefined;
  readonly reference?: string | undefined;
};

/** What a handler of events works with. */
export type Following = { readonly clock: Clock; readonly proxied: Dispatcher; readonly signal: AbortSignal };

const WAIT_MS_MIN = SECOND_MS;
const WAIT_MS_MAX = 30 * SECOND_MS;
/** Three times what is between two signs of life. */
const SILENCE_MS_MAX = 45 * SECOND_MS;
/** An event's data has 256 KiB at most. */
const MESSAGE_LENGTH_MAX = 1024 * 1024;

/** Until Ctrl-C. The next event is read when the one before is handled. */
export async function followEvents(
  at: ProcessContext,
  options: StreamOptions,
  handle: (event: StreamedEvent, following: Following) => Promise<void>,
): Promise<void> {
  const isAsked = filterOf(options.reference);
  const url = productUrl(options.url);
  const key = await keyOf(options, at);
  if (parseKey(key) === null)
    throw new CommandError(
      "The key is mistyped, or not whole: copy it again as it was printed when it was made.",
    );
  const clock = startSystemClock(jsonLog("warn"));
  const proxied = new EnvHttpProxyAgent(proxiesOf(at.environment));
  const stopped = new AbortController();
  const { signal } = stopped;
  void at.untilSignal().then(() => stopped.abort());
  const following = { clock, proxied, signal };
  let lastId = options.after ?? null;
  let waitMs = WAIT_MS_MIN;
  try {
    while (!signal.aborted) {
      const problem = await followOnce(url, key, lastId, following, {
        onOpen: () => at.err(`Following the events of ${url}\n`),
        onId(id) {
          lastId = id;
          waitMs = WAIT_MS_MIN;
        },
        handle: async (event) => void (isAsked(event) && (await handle(event, following))),
      });
      if (signal.aborted) break;
      at.err(`${problem}; again in ${waitMs / SECOND_MS} s\n`);
      await pause(clock, waitMs, signal);
      waitMs = Math.min(waitMs * 2, WAIT_MS_MAX);
    }
  } finally {
    await proxied.destroy();
    clock.stop();
  }
}

type Hooks = {
  readonly onOpen: () => void;
  readonly onId: (id: string) => void;
  readonly handle: (event: StreamedEvent) => Promise<void>;
};

/** Says why the stream is over. Rejects with `CommandError` where another attempt would not help. */
async function followOnce(
  url: string,
  key: string,
  lastId: string | null,
  { proxied, signal }: Following,
  { onOpen, onId, handle }: Hooks,
): Promise<string> {
  const place = new URL(`${url}/v1/events/stream`);
  let message: CommandError | null = null;
  try {
    const answer = await proxied.request({
      origin: place.origin,
      path: place.pathname,
      method: "GET",
      headers: {
        authorization: `Bearer ${key}`,
        accept: "text/event-stream",
        ...(lastId === null ? {} : { "last-event-id": lastId }),
      },
      signal,
      headersTimeout: SILENCE_MS_MAX,
      bodyTimeout: SILENCE_MS_MAX,
    });
    const { statusCode: status } = answer;
    if (status !== 200) {
      const said = refusalOf(url, failureOf(status, await textOf(answer.body)));
      if (status !== 429 && status < 500) message = new CommandError(`${said}.`, 1);
      else return said;
    } else {
      const headerTag = String(answer.headers["x-webhooks-product"] ?? "Tracking");
      onOpen();
      for await (const { id, type, data } of messagesIn(answer.body)) {
        if (data !== null) await handle({ id, type, body: data, headerTag });
        onId(id);
        if (signal.aborted) break;
      }
    }
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    return unreachable(url, cause);
  }
  if (message !== null) throw message;
  return "The stream ended";
}

type Message = { readonly id: string; readonly type: string; readonly data: string | null };

/** Server-sent events that have an id. */
async function* messagesIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Message> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    for (let end = rest.indexOf("\n\n"); end !== -1; end = rest.indexOf("\n\n")) {
      const fields = rest.slice(0, end).split("\n");
      rest = rest.slice(end + 2);
      const valuesOf = (name: string) =>
        fields.flatMap((field) => (field.startsWith(`${name}: `) ? [field.slice(name.length + 2)] : []));
      const data = valuesOf("data");
      const id = valuesOf("id").at(-1);
      if (id === undefined) continue;
      yield {
        id,
        type: valuesOf("event").at(-1) ?? "message",
        data: data.length === 0 ? null : data.join("\n"),
      };
    }
    if (rest.length > MESSAGE_LENGTH_MAX) throw new CommandError("The answer is no stream of events.", 1);
  }
}
