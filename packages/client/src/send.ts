/** Requests over HTTP. */
import type { Answered, Failure, Send } from "./client.ts";

const ANSWER_MS_MAX = 10_000;

/** With an API key, or the operator's token. Rejects where no answer comes in time. */
export function sendWith(token: string, waitMsMax = ANSWER_MS_MAX): Send {
  return async (method, url, body, answerMsMax = waitMsMax) => {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}`, ...typeOf(body) },
      signal: AbortSignal.timeout(answerMsMax),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answered(response.status, await response.text());
  };
}

/** The header that says what a body is, if there is one. */
export function typeOf(body: unknown): Readonly<Record<string, string>> {
  return body === undefined ? {} : { "content-type": "application/json" };
}

/** What a service answers with a status of 200 to 299 is taken for what its document says. */
export function answered<Value>(status: number, text: string): Answered<Value> {
  if (status >= 200 && status < 300) return { ok: true, value: valueOf(text) as Value };
  return { ok: false, failure: failureOf(status, text) };
}

/** Of a refusal. */
export function failureOf(status: number, text: string): Failure {
  const value = valueOf(text) as { readonly error?: { readonly message?: unknown } } | null;
  const message = value?.error?.message;
  return { status, message: typeof message === "string" ? message : null };
}

/** Of an answer that is not JSON it is the text, and null of an empty one. */
function valueOf(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
