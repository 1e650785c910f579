import type { AdapterContext } from "./adapter.ts";
import { METHOD_NOT_ALLOWED, plain, TOO_LARGE, type Answer } from "./answer.ts";
import { concatenate } from "./node.ts";

/** The adapter for the Fetch API: Bun, Deno, Hono, Next.js route handlers, workers. */
export type FetchHandler = (request: Request) => Promise<Response>;

const BODY_ALREADY_READ =
  "Something has read the request's body: pass the request, or a clone, to the webhook receiver first.";

export function fetchHandler(context: AdapterContext): FetchHandler {
  return async (request) => {
    const { status, headers, text } = await answerRequest(request, context);
    return new Response(text === "" ? null : text, { status, headers });
  };
}

async function answerRequest(request: Request, context: AdapterContext): Promise<Answer> {
  if (request.method !== "POST") return METHOD_NOT_ALLOWED;
  if (request.bodyUsed) {
    context.report(new Error(BODY_ALREADY_READ), null);
    return plain(500, BODY_ALREADY_READ);
  }
  const body = await readBody(request, context.bodyBytesMax).catch(() => "aborted" as const);
  if (body === "aborted") return plain(400, "the body broke off");
  if (body === "too_large") return TOO_LARGE;
  return context.receive("POST", request.headers, body);
}

async function readBody(request: Request, bytesMax: number): Promise<Uint8Array | "too_large"> {
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concatenate(chunks, bytes);
    bytes += value.byteLength;
    if (bytes > bytesMax) {
      await reader.cancel();
      return "too_large";
    }
    chunks.push(value);
  }
}
