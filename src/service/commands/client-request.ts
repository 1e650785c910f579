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
import type { Dispatcher } from "undici";

import { CommandError } from "../../cli/command.ts";
import { secretOption } from "../../cli/files.ts";
import { SECOND_MS } from "../../runtime/durations.ts";
import type { ProcessContext } from "../../runtime/process-context.ts";
import { withoutTrailingSlashes } from "../../runtime/trailing-slashes.ts";

export type ProductClient = Pick<Client<AnyProduct>, "ask"> & {
  readonly url: string;
  /** Rejects with `CommandError` where the product refuses. */
  readonly askOrThrow: AskOrThrow<AnyProduct>;
};

const ANSWER_MS_MAX = 30 * SECOND_MS;
const ANSWER_LENGTH_MAX = 4 * 1024 * 1024;

/** Its requests reject with `CommandError` where the product does not answer. */
export function productClient(url: string, key: string, proxied: Dispatcher): ProductClient {
  const client = createClient<AnyProduct>(url, async (method, address, body) => {
    const place = new URL(address);
    let answer: Dispatcher.ResponseData;
    try {
      answer = await proxied.request({
        origin: place.origin,
        path: place.pathname + place.search,
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headersTimeout: ANSWER_MS_MAX,
        bodyTimeout: ANSWER_MS_MAX,
      });
    } catch (cause) {
      throw new CommandError(`${unreachable(url, cause)}.`, 1);
    }
    return answered(answer.statusCode, await textOf(answer.body));
  });
  return { url, ask: client.ask, askOrThrow: orThrow(client, (failure) => refused(url, failure)) };
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
