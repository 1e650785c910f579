/** One request, bounded in time and size: a connector's port to the network, and undici behind it. */
import { promisify } from "node:util";
import zlib, { type ZlibOptions } from "node:zlib";

import type { Agent, Dispatcher } from "undici";

import type { Clock } from "../../runtime/clock.ts";

export type HttpPort = (url: URL, options: HttpOptions) => Promise<HttpAnswer>;

export type HttpOptions = {
  /** Names in lower case or as the upstream writes them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as a form by POST (`application/x-www-form-urlencoded`). */
  readonly form?: Readonly<Record<string, string>>;
  /** Sent by POST as it is; without it and without a form the request is a GET. */
  readonly body?: HttpBody;
  /** For everything: name, connection, answer and body. */
  readonly timeoutMs: number;
  readonly bodyBytesMax: number;
};

export type HttpBody = { readonly contentType: string; readonly text: string };

export type HttpAnswer =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** A header by its lower-case name, null where absent. */
      readonly header: (name: string) => string | null;
      readonly body: string;
    }
  | {
      readonly kind: "failed";
      readonly reason: "timeout" | "too_large" | "connection";
      readonly cause?: unknown;
    };

/** The network. undici loads with the first request: a service without sources runs without it. */
export function openUpstreamHttp(clock: Clock): { readonly http: HttpPort; destroy(): Promise<void> } {
  let agent: Promise<Agent> | null = null;
  let isDestroyed = false;
  const open = async () => {
    const { Agent: UndiciAgent } = await import("undici");
    return new UndiciAgent({ allowH2: false });
  };
  const opened = () =>
    (agent ??= open().catch((cause: unknown) => {
      // Not for ever: the next request tries again.
      agent = null;
      throw cause;
    }));
  return {
    async http(url, options) {
      if (isDestroyed) return { kind: "failed", reason: "connection" };
      let dispatcher: Agent;
      try {
        dispatcher = await opened();
      } catch (cause) {
        return { kind: "failed", reason: "connection", cause };
      }
      return createHttpPort(dispatcher, clock)(url, options);
    },
    /** What waits for an answer ends. */
    async destroy() {
      isDestroyed = true;
      await (await agent?.catch(() => null))?.destroy();
    },
  };
}

/** An {@link HttpPort} on undici. Redirects are not followed: an upstream's key goes to no other host. */
export function createHttpPort(dispatcher: Dispatcher, clock: Clock): HttpPort {
  return async (url, { timeoutMs, bodyBytesMax, ...options }) => {
    const abort = new AbortController();
    let late = false;
    const cancel = clock.after(timeoutMs, () => {
      late = true;
      abort.abort();
    });
    try {
      const answer = await dispatcher.request({
        origin: url.origin,
        path: url.pathname + url.search,
        signal: abort.signal,
        ...requestOf(options),
      });
      const header = (name: string): string | null => {
        const value = answer.headers[name];
        return (Array.isArray(value) ? value[0] : value) ?? null;
      };
      const sent = await readBounded(answer.body, bodyBytesMax);
      if (sent === null) abort.abort();
      const body = sent && (await decompressed(sent, header("content-encoding"), bodyBytesMax));
      if (body === null) return { kind: "failed", reason: "too_large" };
      return { kind: "answered", status: answer.statusCode, header, body: textOf(body) };
    } catch (cause) {
      return { kind: "failed", reason: late ? "timeout" : "connection", cause };
    } finally {
      cancel();
    }
  };
}

function requestOf({ headers, form, body }: Pick<HttpOptions, "headers" | "form" | "body">) {
  const posted =
    form === undefined ? body : { contentType: FORM, text: new URLSearchParams(form).toString() };
  const accept = { accept: "application/json" };
  if (posted === undefined) return { method: "GET", headers: { ...accept, ...headers } } as const;
  const { contentType, text } = posted;
  return {
    method: "POST",
    headers: { ...accept, "content-type": contentType, ...headers },
    body: text,
  } as const;
}

const FORM = "application/x-www-form-urlencoded";

/** Some gateways compress whether or not they were asked to. Null: it unpacks to more. */
async function decompressed(body: Buffer, encoding: string | null, bytesMax: number): Promise<Buffer | null> {
  if (body.length === 0 || !COMPRESSED.has(encoding?.trim().toLowerCase() ?? "")) return body;
  try {
    return await unzip(body, { maxOutputLength: bytesMax });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return null;
    throw error;
  }
}

const COMPRESSED: ReadonlySet<string> = new Set(["gzip", "x-gzip", "deflate"]);
const unzip = promisify<Buffer, ZlibOptions, Buffer>(zlib.unzip);

async function readBounded(body: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Without the mark that some programs begin a text with. */
function textOf(body: Buffer): string {
  return new TextDecoder().decode(body);
}
