import { METHOD_NOT_ALLOWED, TOO_LARGE, type Answer } from "./answer.ts";
import type { HeaderRecord } from "./headers.ts";
import type { AdapterContext } from "./receiver.ts";

/** The adapter for Node's `http`: `http.createServer(receiver.node)`. */
export type NodeHandler = (request: NodeRequest, response: NodeResponse) => void;

/** As much of `http.IncomingMessage` as is needed, so that these types need none of Node's. */
export type NodeRequest = {
  readonly method?: string | undefined;
  readonly headers: HeaderRecord;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the event decides what it brings
  on(event: string, listener: (...values: any[]) => void): unknown;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the same
  off(event: string, listener: (...values: any[]) => void): unknown;
  resume(): unknown;
};

/** As much of `http.ServerResponse` as is needed. */
export type NodeResponse = {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text?: string): unknown;
};

export function nodeHandler(intake: AdapterContext): NodeHandler {
  return (request, response) => void answerStream(request, intake).then((answer) => write(answer, response));
}

/** Reads the body off the socket and has it received. Null: the sender left before its end. Never rejects. */
export async function answerStream(request: NodeRequest, intake: AdapterContext): Promise<Answer | null> {
  if (request.method !== "POST") {
    request.resume();
    return METHOD_NOT_ALLOWED;
  }
  const body = await readBody(request, intake.bodyBytesMax);
  if (body === "aborted") return null;
  if (body === "too_large") return TOO_LARGE;
  return intake.receive("POST", request.headers, body);
}

/** Null is written to nobody: the sender has left. */
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
      // What is still to come goes by unread; the listener for "error" stays, lest one be thrown.
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
