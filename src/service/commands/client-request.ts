/** Requests that a client's developer makes from the command line, through the machine's proxy. */
import {
  answered,
  createClient,
  orThrow,
  type AnyProduct,
  type AskOrThrow,
  type Client,
  type Failure,
} from "@boathook/client";
import { EnvHttpProxyAgent, type Dispatcher } from "undici";

import { CommandError } from "../../cli/command.ts";
import type { ApiRequest } from "../../cli/context.ts";
import { secretOption } from "../../cli/files.ts";
import { MINUTE_MS } from "../../runtime/durations.ts";
import type { ProcessContext } from "../../runtime/process-context.ts";
import { withoutTrailingSlashes } from "../../runtime/trailing-slashes.ts";

export type ProductClient = Pick<Client<AnyProduct>, "ask"> & {
  readonly url: string;
  /** Rejects with `CommandError` where the product refuses. */
  readonly askOrThrow: AskOrThrow<AnyProduct>;
};

/** Longer than what the operator's API takes to say that a removal goes on (operator/remove-account.ts). */
const ANSWER_MS_MAX = MINUTE_MS;
const ANSWER_LENGTH_MAX = 4 * 1024 * 1024;

/** Its requests reject with `CommandError` where the product does not answer. */
export function productClient(url: string, key: string, proxied: Dispatcher): ProductClient {
  const client = createClient<AnyProduct>("", async (method, path, body) => {
    const request = { method, url: path, ...(body === undefined ? {} : { body: body as object }) };
    const { status, text } = await sendThrough(proxied, url, key, request);
    return answered(status, text);
  });
  return { url, ask: client.ask, askOrThrow: orThrow(client, (failure) => refused(url, failure)) };
}

/** Rejects with `CommandError` where nothing answers. */
export async function sendThrough(
  proxied: Dispatcher,
  base: string,
  token: string,
  { method, url, body, content }: ApiRequest,
): Promise<{ readonly status: number; readonly text: string }> {
  const place = new URL(base + url);
  const sent = content?.bytes ?? (body === undefined ? undefined : JSON.stringify(body));
  try {
    const answer = await proxied.request({
      origin: place.origin,
      path: place.pathname + place.search,
      method: method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(sent === undefined ? {} : { "content-type": content?.type ?? "application/json" }),
      },
      ...(sent === undefined ? {} : { body: sent }),
      headersTimeout: ANSWER_MS_MAX,
      bodyTimeout: ANSWER_MS_MAX,
    });
    return { status: answer.statusCode, text: await textOf(answer.body) };
  } catch (cause) {
    throw new CommandError(`${unreachable(base, cause)}.`, 1);
  }
}

/** As JSON; what is none as it is, and nothing as null. */
export function jsonOf(text: string): unknown {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

/** With the proxies of the environment, which close behind the work. */
export async function withProxies<T>(
  { environment }: Pick<ProcessContext, "environment">,
  work: (proxied: Dispatcher) => Promise<T>,
): Promise<T> {
  const proxied = new EnvHttpProxyAgent(proxiesOf(environment));
  try {
    return await work(proxied);
  } finally {
    await proxied.destroy();
  }
}

export function refused(url: string, failure: Failure): CommandError {
  return new CommandError(`${refusalOf(url, failure)}.`, 1);
}

export function productUrl(url: string): string {
  if (URL.canParse(url) && /^https?:/.test(url)) return withoutTrailingSlashes(url);
  throw new CommandError("--url must be a product's address, such as http://127.0.0.1:8080/tracking.");
}

export async function keyOf(
  options: { readonly key?: string | undefined; readonly keyFile?: string | undefined },
  at: Pick<ProcessContext, "readInput">,
): Promise<string> {
  const key = await secretOption(options.key, options.keyFile, at);
  if (key !== undefined && key !== "") return key;
  throw new CommandError("The key is missing: give --key or --key-file.");
}

/** As curl reads them. */
export function proxiesOf(environment: ProcessContext["environment"]) {
  const named = (name: string) => environment[name] || environment[name.toUpperCase()] || "";
  const all = named("all_proxy");
  return {
    httpProxy: named("http_proxy") || all,
    httpsProxy: named("https_proxy") || all,
    noProxy: named("no_proxy"),
  };
}

export function unreachable(url: string, cause: unknown): string {
  const { code, message } = cause as Error & { readonly code?: string };
  return `${url} cannot be reached (${code ?? message})`;
}

/** What the service says; another server's answer has no message. */
export function refusalOf(url: string, { status, message }: Failure): string {
  if (message !== null) return `${url} answered ${status}: ${message}`;
  return `${url} answered ${status}; is it the address of a product, such as http://127.0.0.1:8080/tracking?`;
}

/** As much of it as an answer has. */
export async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > ANSWER_LENGTH_MAX) break;
  }
  return text;
}
