import type { AdapterContext } from "./adapter.ts";
import { METHOD_NOT_ALLOWED, plain, type Answer } from "./answer.ts";
import { answerStream, write, type NodeRequest, type NodeResponse } from "./node.ts";

/**
 * The adapter for Express: `app.post("/webhooks", receiver.express)`. It reads the body itself, or
 * takes what `express.raw()` read. A body that `express.json()` has parsed cannot be verified.
 */
export type ExpressHandler = (request: ExpressRequest, response: NodeResponse) => void;

export type ExpressRequest = NodeRequest & {
  readonly body?: unknown;
  /** Some hosts, and some `verify` hooks of `express.json()`, keep the raw body here. */
  readonly rawBody?: unknown;
  readonly readableDidRead?: boolean;
  readonly readableEnded?: boolean;
};

const BODY_ALREADY_PARSED =
  "The raw body is gone: a body parser such as express.json() ran before the webhook receiver, and a " +
  "signature covers the raw bytes. Mount the receiver before the parser, " +
  'app.post("/webhooks", receiver.express); app.use(express.json()); or give its path ' +
  'express.raw({ type: "*/*" }).';

export function expressHandler(context: AdapterContext): ExpressHandler {
  return (request, response) =>
    void answerExpress(request, context).then((answer) => write(answer, response));
}

async function answerExpress(request: ExpressRequest, context: AdapterContext): Promise<Answer | null> {
  if (request.method !== "POST") return METHOD_NOT_ALLOWED;
  for (const kept of [request.rawBody, request.body]) {
    if (typeof kept === "string" || ArrayBuffer.isView(kept)) {
      return context.receive("POST", request.headers, kept as string | Uint8Array);
    }
  }
  if (request.readableDidRead === true || request.readableEnded === true) {
    context.report(new Error(BODY_ALREADY_PARSED), null);
    return plain(500, BODY_ALREADY_PARSED);
  }
  return answerStream(request, context);
}
