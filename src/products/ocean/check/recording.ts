/** Keeps the answers of a check as `boathook replay` takes them: the events alone, without credentials. */
import { parseJson } from "../../../model/json.ts";
import { spellingWith } from "../../../freight/dcsa/spelling.ts";
import type { Exchange } from "../../../freight/source-check/exchanges.ts";
import { keepAnswers } from "../../../freight/source-check/keep-answers.ts";
import { withoutSecrets, type Mask } from "../../../freight/source-check/secrets.ts";
import type { Carrier } from "../sources/carriers.ts";
import { eventList } from "../sources/dcsa/parse.ts";

/** Into a folder that exists. Null: there were no events to keep. */
export async function recordAnswers(
  folder: string,
  { scac, spelling }: Carrier,
  reference: string,
  exchanges: readonly Exchange[],
  { hide }: Mask,
): Promise<string | null> {
  const read = spellingWith(spelling);
  const events = exchanges.flatMap(({ isToken, answer }) =>
    isToken || answer.kind !== "answered" || answer.status !== 200
      ? []
      : (eventList(parseJson(answer.body), read) ?? []),
  );
  if (events.length === 0) return null;
  const kept = withoutSecrets(events, (text) => withoutQueries(hide(text)));
  return keepAnswers(folder, `${scac}-${reference}`, JSON.stringify(kept, null, 2));
}

/** Addresses in an answer may repeat the question's keys. */
function withoutQueries(text: string): string {
  return text.replaceAll(/(https?:\/\/[^\s"?\\]{1,1000})\?[^\s"\\]{0,4000}/g, "$1");
}
