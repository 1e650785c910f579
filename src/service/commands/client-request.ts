/** Requests that a client's developer makes from the command line, through the machine's proxy. */
import type { Dispatcher } from "undici";

import { CommandError } from "../../cli/command.ts";
import { secretOption } from "../../cli/files.ts";
import { SECOND_MS } from "../../runtime/durations.ts";
import type { ProcessContext } from "../../runtime/process-context.ts";
import { withoutTrailingSlashes } from "../../runtime/trailing-slashes.ts";

export type ClientRequest = { readonly url: string; readonly key: string; readonly proxied: Dispatcher };

const ANSWER_MS_MAX = 30 * SECOND_MS;
const ANSWER_LENGTH_MAX = 4 * 1024 * 1024;

type Asked = {
  readonly body?: object;
  /** What stands for an answer of 404; without it, the request fails. */
  readonly absent?: null;
};

/** The `data` of the answer. Rejects with `CommandError` where there is none. */
export async function askAsClient<Data>(
  { url, key, proxied }: ClientRequest,
  method: "GET" | "POST",
  path: string,
  { body, absent }: Asked = {},
): Promise<Data> {
  const place = new URL(`${url}${path}`);
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
  const text = await textOf(answer.body);
  if (answer.statusCode === 404 && absent !== undefined) return absent as Data;
  if (answer.statusCode >= 300) throw new CommandError(`${refusalIn(url, answer.statusCode, text)}.`, 1);
  return (JSON.parse(text) as { readonly data: Data }).data;
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
export function refusalIn(url: string, status: number, text: string): string {
  const said = `${url} answered ${status}`;
  try {
    const { error } = JSON.parse(text) as { readonly error: { readonly message: string } };
    return `${said}: ${error.message}`;
  } catch {
    return `${said}; is it the address of a product, such as http://127.0.0.1:8080/tracking?`;
  }
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
