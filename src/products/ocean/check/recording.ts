/** Keeps the answers of a check as `boathook replay` takes them: the events alone, without credentials. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { parseJson } from "../../../model/json.ts";
import { spellingWith } from "../../../freight/dcsa/spelling.ts";
import type { Carrier } from "../sources/carriers.ts";
import { eventList } from "../sources/dcsa/parse.ts";
import type { Exchange } from "./exchanges.ts";
import type { Mask } from "./secrets.ts";

/** Null: there were no events to keep. Rejects where the folder cannot be written to. */
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
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${scac}-${reference}.json`);
  await writeFile(file, `${withoutQueries(hide(JSON.stringify(events, null, 2)))}\n`, { mode: 0o600 });
  return file;
}

/** Addresses in an answer may repeat the question's keys. */
function withoutQueries(text: string): string {
  return text.replaceAll(/(https?:\/\/[^\s"?\\]{1,1000})\?[^\s"\\]{0,4000}/g, "$1");
}
