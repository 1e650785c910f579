/** How `boathook airlines check` speaks, and which of a source's texts it never shows. */
import type { AdviceByReason } from "../../../freight/source-check/advice.ts";
import { createMask, namesSecret, type Mask } from "../../../freight/source-check/secrets.ts";
import type { SourceWords } from "../../../freight/source-check/step.ts";
import type { PolledSource } from "../sources/airlines/airline-schema.ts";

export const AIRLINE: SourceWords = {
  whom: "airline",
  file: "airlines file",
  subject: "waybill",
  address: "its address",
};

export const AIRLINE_ADVICE: AdviceByReason = [
  [
    /^not_fsa$/,
    "The answer holds no FSA or FSU: check url, and name where messages stand in `answer`, or describe an API of the airline's own as `mapped`.",
  ],
  [
    /^not_(?:json|xml)$/,
    "The answer is not in the format that the file says: check url and `answer.format`.",
  ],
  [/^not_json_ld$/, "The answer is no ONE Record: check objectUrl, and that the server speaks JSON-LD."],
  [
    /^other_waybill$/,
    "The answer is about another waybill: check where {awb}, {prefix} and {serial} stand in the address or message, and `answer.waybill`.",
  ],
  [/^too_large$/, "The answer is larger than Boathook reads: the airline may offer a shorter one."],
];

/** Some airlines take keys in the address or in the message. */
export function maskOf(source: PolledSource): Mask {
  const { headers, apiKeys, oauth } = source;
  const address = addressOf(source);
  const ofQuery = URL.canParse(address) ? [...new URL(address).searchParams] : [];
  const message = source.kind === "one-record" ? "" : (source.message ?? "");
  const ofMessage = [...message.matchAll(FIELD)].map(([, name = "", value = ""]) => [name, value] as const);
  const inQuestion = [...ofQuery, ...ofMessage].flatMap(([name, value]) =>
    namesSecret(name) ? [value] : [],
  );
  return createMask([headers, apiKeys, oauth], inQuestion);
}

/** Of JSON, a form or XML: `"apiKey": "…"`, `api_key=…`, `<Password>…`. */
const FIELD = /([\w-]{1,60})"?\s{0,4}[:=>]\s{0,4}"?([^"&<\s]{1,4096})/g;

export function addressOf(source: PolledSource): string {
  return source.kind === "one-record" ? source.objectUrl : source.url;
}
