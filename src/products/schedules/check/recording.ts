/**
 * The answers of a check in a file, and back: the answers as they came and the feed that they are read by, both without
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
import type { Feed, PolledFeed } from "../sources/feed-schema.ts";
import { readFeeds } from "../sources/feeds-file.ts";

const FORM = "boathook-schedule-answers-1";

const RecordingSchema = Type.Object(
  {
    form: Type.Literal(FORM),
    at: Type.String({ format: "date-time" }),
    feed: Type.Record(Type.String(), Type.Unknown()),
    exchanges: KeptExchangesSchema,
  },
  { additionalProperties: false },
);

/** Into a folder that exists. Null: nothing was answered. */
export async function recordAnswers(
  folder: string,
  feed: PolledFeed,
  exchanges: readonly Exchange[],
  mask: Mask,
  nowMs: number,
): Promise<string | null> {
  const answered = exchanges.flatMap((exchange) => keptOf(exchange, mask));
  if (answered.length === 0) return null;
  const { headers: _, apiKeys: __, oauth: ___, quota: ____, secret: _____, ...entry } = feed;
  const kept: Static<typeof RecordingSchema> = {
    form: FORM,
    at: new Date(nowMs).toISOString(),
    feed: withoutSecrets(entry, mask.hide) as Record<string, unknown>,
    exchanges: answered.slice(0, EXCHANGES_MAX),
  };
  return keepAnswers(folder, feed.name, JSON.stringify(kept, null, 2));
}

export type Recording = {
  readonly feed: Feed;
  /** When the feed was asked, milliseconds since the epoch. */
  readonly atMs: number;
  /** Answers as the carrier did. */
  readonly http: HttpPort;
};

const compiled = Compile(RecordingSchema);

/** A text: why it is none. */
export function readRecording(text: string): Recording | string {
  const value = parseJson(text);
  if (!isObject(value) || value["form"] !== FORM) return `it holds no answers in the form ${FORM}`;
  if (!compiled.Check(value)) return validationMessage(compiled.Type(), compiled.Errors(value), "it");
  const read = readFeeds(JSON.stringify([value.feed]));
  if (read.kind === "invalid") return `its feed is wrong:${problemsText(read.problems)}`;
  return { feed: read.feeds[0]!, atMs: Date.parse(value.at), http: answering(value.exchanges) };
}
