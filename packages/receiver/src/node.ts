import type { AdapterContext } from "./adapter.ts";
import { METHOD_NOT_ALLOWED, TOO_LARGE, type Answer } from "./answer.ts";
import type { HeaderRecord } from "./headers.ts";

/** The adapter for Node's `http`: `http.createServer(receiver.node)`. */
export type NodeHandler = (request: NodeRequest, response: NodeResponse) => void;

/** The part of `http.IncomingMessage` used here, so these types do not need Node's. */
export type NodeRequest = {
  readonly method?: string | undefined;
  readonly headers: HeaderRecord;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the arguments depend on the event
  on(event: string, listener: (...values: any[]) => void): unknown;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the same
  off(event: string, listener: (...values: any[]) => void): unknown;
  resume(): unknown;
};

/** The part of `http.ServerResponse` used here. */
export type NodeResponse = {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text?: string): unknown;
};

export function nodeHandler(context: AdapterContext): NodeHandler {
  return (request, response) => void answerStream(request, context).then((answer) => write(answer, response));
}

/** Reads the body and receives it. Resolves with null when the sender left before its end. Never rejects. */
export async function answerStream(request: NodeRequest, context: AdapterContext): Promise<Answer | null> {
  if (request.method !== "POST") {
    request.resume();
    return METHOD_NOT_ALLOWED;
  }
  const body = await readBody(request, context.bodyBytesMax);
  if (body === "aborted") return null;
  if (body === "too_large") return TOO_LARGE;
  return context.receive("POST", request.headers, body);
}

/** Null writes nothing: the sender has left. */
export function write(answer: Answer | null, response: NodeResponse): void {
  if (answer === null) return;
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  response.end(answer.text);
}

function readBody(request: NodeRequest, bytesMax: number): Promise<Uint8Array | "too_large" | "aborted"> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const settle = (outcome: Uint8Array | "too_large" | "aborted"): void => {
      request.off("data", take);
      request.off("end", finish);
      // Discard the rest; the "error" listener stays, so that none is thrown.
      request.resume();
      resolve(outcome);
    };
    const take = (chunk: Uint8Array): void => {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) settle("too_large");
      else chunks.push(chunk);
    };
    const finish = (): void => settle(concatenate(chunks, bytes));
    request.on("data", take);
    request.on("end", finish);
    request.on("error", () => settle("aborted"));
    request.on("close", () => settle("aborted"));
  });
}

/** One array of `bytes` bytes. */
export function concatenate(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
