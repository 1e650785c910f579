/** What a source answered, as a file keeps it: without credentials, and answering again as the source did. */
import { Type, type Static } from "typebox";

import { parseJson } from "../../model/json.ts";
import type { HttpPort } from "../upstream/http.ts";
import { NOT_RECORDED } from "./connection.ts";
import type { Exchange } from "./exchanges.ts";
import type { CheckPorts } from "./run-steps.ts";
import { withoutKeys, withoutSecrets, type Mask } from "./secrets.ts";

export const EXCHANGES_MAX = 500;

export const KeptExchangesSchema = Type.Array(
  Type.Object(
    {
      method: Type.Union([Type.Literal("GET"), Type.Literal("POST")]),
      url: Type.String({ maxLength: 4_096 }),
      status: Type.Integer({ minimum: 100, maximum: 599 }),
      headers: Type.Record(Type.String(), Type.String()),
      body: Type.String(),
    },
    { additionalProperties: false },
  ),
  { minItems: 1, maxItems: EXCHANGES_MAX },
);

export type KeptExchanges = Static<typeof KeptExchangesSchema>;

/** The headers of an answer that its readers use. */
const HEADERS = [
  "content-type",
  "date",
  "retry-after",
  "api-version",
  "link",
  "next-page",
  "next-page-cursor",
];

/** Empty: nothing was answered, or a token was. */
export function keptOf({ url, method, isToken, answer }: Exchange, { hide }: Mask): KeptExchanges {
  if (isToken || answer.kind === "failed") return [];
  const headers = HEADERS.flatMap((name) => {
    const value = answer.header(name);
    return value === null ? [] : [[name, withoutKeys(hide(value))] as const];
  });
  const body = keptBody(answer.body, (text) => withoutKeys(hide(text)));
  const { status } = answer;
  return [{ method, url: withoutKeys(hide(url.href)), status, headers: Object.fromEntries(headers), body }];
}

/** As it came. A number may be spelled as a secret is: JSON stays JSON. */
function keptBody(body: string, hide: Mask["hide"]): string {
  const hidden = hide(body);
  if (hidden === body || parseJson(hidden) !== undefined) return hidden;
  const value = parseJson(body);
  return value === undefined ? hidden : JSON.stringify(withoutSecrets(value, hide));
}

/** The network and the time as they were when the answers came. */
export function replaying(
  ports: CheckPorts,
  { http, atMs }: { readonly http: HttpPort; readonly atMs: number },
): CheckPorts {
  return { ...ports, http, clock: { ...ports.clock, nowMs: () => atMs } };
}

/** Each answer once, in their order; what was not asked then has no answer. */
export function answering(exchanges: KeptExchanges): HttpPort {
  const left = [...exchanges];
  return async ({ href }, { form, body }) => {
    const method = form === undefined && body === undefined ? "GET" : "POST";
    const index = left.findIndex((one) => one.method === method && isSameAddress(one.url, href));
    const [kept] = index === -1 ? [] : left.splice(index, 1);
    if (kept === undefined) return { kind: "failed", reason: "connection", cause: { code: NOT_RECORDED } };
    const { status, headers } = kept;
    return { kind: "answered", status, header: (name) => headers[name] ?? null, body: kept.body };
  };
}

function isSameAddress(one: string, other: string): boolean {
  return URL.canParse(one) && inOneSpelling(one) === inOneSpelling(other);
}

/** Without what is hidden in a kept address. */
function inOneSpelling(address: string): string {
  const url = new URL(withoutKeys(address));
  url.searchParams.sort();
  return url.href;
}
