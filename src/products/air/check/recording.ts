/**
 * The answers of a check in a file, and back: the answers as they came and the entry that they are read by, both without
 * credentials. A reader of the file repeats what the answers became, without the network.
 */
import { Type, type Static } from "typebox";
import { Compile } from "typebox/compile";

import { isObject, parseJson } from "../../../model/json.ts";
import { validationMessage } from "../../../model/validation-error.ts";
import type { Exchange } from "../../../freight/source-check/exchanges.ts";
import { keepAnswers } from "../../../freight/source-check/keep-answers.ts";
import { HIDDEN, namesSecret, withoutSecrets, type Mask } from "../../../freight/source-check/secrets.ts";
import type { HttpPort } from "../../../freight/upstream/http.ts";
import { readAirlines, type Airline } from "../sources/airlines/airlines-file.ts";
import type { PolledSource } from "../sources/airlines/airline-schema.ts";

export type AskedSource = {
  readonly place: number;
  readonly source: PolledSource;
  readonly exchanges: readonly Exchange[];
  readonly mask: Mask;
};

const FORM = "boathook-airline-answers-1";
const EXCHANGES_MAX = 500;

const RecordingSchema = Type.Object(
  {
    form: Type.Literal(FORM),
    at: Type.String({ format: "date-time" }),
    awb: Type.String({ pattern: "^[0-9]{11}$" }),
    airline: Type.Record(Type.String(), Type.Unknown()),
    exchanges: Type.Array(
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
    ),
  },
  { additionalProperties: false },
);

type Kept = Static<typeof RecordingSchema>;

/** The headers of an answer that its reader uses. */
const HEADERS = ["content-type", "date", "retry-after"];

/** Into a folder that exists. Null: nothing was answered. */
export async function recordAnswers(
  folder: string,
  { iata, name, prefixes, asOf }: Airline,
  awb: string,
  asked: readonly AskedSource[],
  nowMs: number,
): Promise<string | null> {
  const exchanges = asked.flatMap(({ exchanges: all, mask }) =>
    all.flatMap((exchange) => (exchange.isToken ? [] : keptOf(exchange, mask))),
  );
  if (exchanges.length === 0) return null;
  const kept: Kept = {
    form: FORM,
    at: new Date(nowMs).toISOString(),
    awb,
    airline: {
      ...{ name, iata, prefixes, ...(asOf === undefined ? {} : { asOf }) },
      sources: asked.map(({ source, mask }) => withoutCredentials(source, mask)),
    },
    exchanges: exchanges.slice(0, EXCHANGES_MAX),
  };
  return keepAnswers(folder, `${iata}-${awb}`, JSON.stringify(kept, null, 2));
}

function keptOf({ url, method, answer }: Exchange, { hide }: Mask): Kept["exchanges"] {
  if (answer.kind === "failed") return [];
  const headers = HEADERS.flatMap((name) => {
    const value = answer.header(name);
    return value === null ? [] : [[name, value] as const];
  });
  const body = withoutKeys(hide(answer.body));
  const { status } = answer;
  return [{ method, url: hide(url.href), status, headers: Object.fromEntries(headers), body }];
}

/** Addresses in an answer may repeat the question's keys, or be signed. */
function withoutKeys(text: string): string {
  return text.replaceAll(
    /([?&]|&amp;)([\w.~-]{1,100})=([^&\s"'<>\\]{1,4096})/g,
    (whole, mark: string, name: string, value: string) =>
      namesSecret(name) || /sig|auth|cred/i.test(name) || value.length > PARAMETER_CHARS_MAX
        ? `${mark}${name}=${HIDDEN}`
        : whole,
  );
}

/** A page, a date, a number. */
const PARAMETER_CHARS_MAX = 40;

function withoutCredentials(source: PolledSource, { hide }: Mask): unknown {
  const { headers: _, apiKeys: __, oauth: ___, quota: ____, ...rest } = source;
  return withoutSecrets(rest, hide);
}

export type Recording = {
  readonly airline: Airline;
  readonly awb: string;
  /** When the answers came, milliseconds since the epoch. */
  readonly atMs: number;
  /** Answers as the airline did. */
  readonly http: HttpPort;
};

const compiled = Compile(RecordingSchema);

/** A text: why it is none. */
export function readRecording(text: string): Recording | string {
  const value = parseJson(text);
  if (!isObject(value) || value["form"] !== FORM) return `it holds no answers in the form ${FORM}`;
  if (!compiled.Check(value)) return validationMessage(compiled.Type(), compiled.Errors(value), "it");
  const read = readAirlines(JSON.stringify([value.airline]));
  if (read.kind === "invalid") return `its airline is wrong: ${read.problems.join("; ")}`;
  return {
    airline: read.airlines[0]!,
    awb: value.awb,
    atMs: Date.parse(value.at),
    http: answering(value.exchanges),
  };
}

/** Each answer once, in their order; what was not asked then has no answer. */
function answering(exchanges: Kept["exchanges"]): HttpPort {
  const left = [...exchanges];
  return async ({ href }, { form, body }) => {
    const method = form === undefined && body === undefined ? "GET" : "POST";
    const index = left.findIndex((one) => one.method === method && sameAddress(one.url, href));
    const [kept] = index === -1 ? [] : left.splice(index, 1);
    if (kept === undefined) return { kind: "failed", reason: "connection", cause: { code: "not_recorded" } };
    const { status, headers } = kept;
    return { kind: "answered", status, header: (name) => headers[name] ?? null, body: kept.body };
  };
}

const sameAddress = (one: string, other: string): boolean =>
  URL.canParse(one) && new URL(one).href === new URL(other).href;
