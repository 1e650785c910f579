/**
 * The answers of a check in a file, and back: the answers as they came and the entry that they are read by, both without
 * credentials. A reader of the file repeats what the answers became, without the network.
 */
import { Type, type Static } from "typebox";
import { Compile } from "typebox/compile";

import { problemsText } from "../../../runtime/config-file.ts";
import { isObject, parseJson } from "../../../model/json.ts";
import { validationMessage } from "../../../model/validation-error.ts";
import type { Exchange } from "../../../freight/source-check/exchanges.ts";
import { keepAnswers } from "../../../freight/source-check/keep-answers.ts";
import {
  answering,
  EXCHANGES_MAX,
  KeptExchangesSchema,
  keptOf,
} from "../../../freight/source-check/kept-exchanges.ts";
import { withoutSecrets, type Mask } from "../../../freight/source-check/secrets.ts";
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

const RecordingSchema = Type.Object(
  {
    form: Type.Literal(FORM),
    at: Type.String({ format: "date-time" }),
    awb: Type.String({ pattern: "^[0-9]{11}$" }),
    airline: Type.Record(Type.String(), Type.Unknown()),
    exchanges: KeptExchangesSchema,
  },
  { additionalProperties: false },
);

type Kept = Static<typeof RecordingSchema>;

/** Into a folder that exists. Null: nothing was answered. */
export async function recordAnswers(
  folder: string,
  { iata, name, prefixes, asOf }: Airline,
  awb: string,
  asked: readonly AskedSource[],
  nowMs: number,
): Promise<string | null> {
  const exchanges = asked.flatMap(({ exchanges: all, mask }) =>
    all.flatMap((exchange) => keptOf(exchange, mask)),
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
  if (read.kind === "invalid") return `its airline is wrong:${problemsText(read.problems)}`;
  return {
    airline: read.airlines[0]!,
    awb: value.awb,
    atMs: Date.parse(value.at),
    http: answering(value.exchanges),
  };
}
