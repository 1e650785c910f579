/** Deliveries to a server of a developer, signed as the service signs them. */
import { createSecretKey } from "node:crypto";

import type { Dispatcher } from "undici";

import { CommandError } from "../../cli/command.ts";
import { signatureOf } from "../../engine/secret.ts";
import { SECOND_MS } from "../../runtime/durations.ts";
import type { Following, StreamedEvent } from "./follow-events.ts";

/** What an endpoint has. */
const ANSWER_MS_MAX = 10 * SECOND_MS;

export function readTarget(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new CommandError("--forward must be a URL such as http://localhost:3000/hooks.");
}

export function isLocal({ hostname }: URL): boolean {
  const isName = hostname === "localhost" || hostname.endsWith(".localhost");
  return isName || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** `204 in 12 ms`, or why there is no answer. */
export async function forwardTo(
  target: URL,
  { id, type, body: text, headerTag: tag }: StreamedEvent,
  secret: string,
  dispatcher: Dispatcher,
  { clock, signal }: Pick<Following, "clock" | "signal">,
): Promise<string> {
  const late = new AbortController();
  const cancel = clock.after(ANSWER_MS_MAX, () => late.abort());
  const body = Buffer.from(text);
  const startedMs = clock.monotonicMs();
  try {
    const { statusCode, body: answer } = await dispatcher.request({
      origin: target.origin,
      path: target.pathname + target.search,
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": `${tag}-Webhooks/1`,
        [`X-${tag}-Event`]: type,
        [`X-${tag}-Delivery`]: id,
        [`X-${tag}-Signature`]: signatureOf(body, createSecretKey(Buffer.from(secret))),
      },
      body,
      signal: AbortSignal.any([late.signal, signal]),
    });
    await answer.dump();
    return `${statusCode} in ${Math.round(clock.monotonicMs() - startedMs)} ms`;
  } catch (cause) {
    if (late.signal.aborted) return `no answer in ${ANSWER_MS_MAX / SECOND_MS} s`;
    const { code, message } = cause as Error & { readonly code?: string };
    return code === "ECONNREFUSED" ? "nothing listens there" : `failed: ${message || code}`;
  } finally {
    cancel();
  }
}
