/** The head of a request. Nothing that a header holds ends its line or adds another. */
import type { TargetUrl } from "./target-url.ts";

/** These say where the request goes and where it ends: the sender writes them itself. */
const OWN_NAMES =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|upgrade|expect|te|trailer)$/iu;

const NAME = /^[!#$%&'*+.^`|~\w-]+$/u;

// oxlint-disable-next-line no-control-regex
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/u;

/** Names that were checked: a product has a handful. */
const names = new Set<string>();
const NAMES_MAX = 1_000;

/** What all requests to the target begin with. */
export function constantHead({ origin, path }: TargetUrl): string {
  const host = origin.slice("https://".length);
  return `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
}

/**
 * The head whole, of code points below 256, each a byte; null if a header may not be sent.
 * @param headers names and values in turn
 */
export function requestHead(constant: string, headers: readonly string[], bodyBytes: number): string | null {
  let head = constant;
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!;
    const value = headers[i + 1]!;
    if (!(names.has(name) || isName(name)) || !VALUE.test(value)) return null;
    head += `${name}: ${value}\r\n`;
  }
  return `${head}content-length: ${bodyBytes}\r\n\r\n`;
}

function isName(name: string): boolean {
  if (!NAME.test(name) || OWN_NAMES.test(name)) return false;
  if (names.size < NAMES_MAX) names.add(name);
  return true;
}
