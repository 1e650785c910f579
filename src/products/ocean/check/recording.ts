/** Keeps the answers of a check as `boathook replay` takes them: the events alone, without credentials. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { isObject, parseJson } from "../../../model/json.ts";
import { spellingWith } from "../../../freight/dcsa/spelling.ts";
import type { Carrier } from "../sources/carriers.ts";
import { eventList } from "../sources/dcsa/parse.ts";
import type { Exchange } from "./exchanges.ts";
import { HIDDEN, type Mask } from "./secrets.ts";

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
  const file = join(folder, `${scac}-${reference}.json`);
  // An older file may be open to other users, and a link leads elsewhere.
  await rm(file, { force: true });
  const kept = JSON.stringify(withoutSecrets(events, hide), null, 2);
  await writeFile(file, `${kept}\n`, { mode: 0o600, flag: "wx" });
  return file;
}

/** Each text by itself: the whole stays JSON, whatever a secret looks like. */
function withoutSecrets(value: unknown, hide: Mask["hide"]): unknown {
  if (typeof value === "string") return withoutQueries(hide(value));
  if (typeof value === "number") return hide(String(value)) === String(value) ? value : HIDDEN;
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, hide));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [hide(name), withoutSecrets(one, hide)]),
  );
}

/** Addresses in an answer may repeat the question's keys. */
function withoutQueries(text: string): string {
  return text.replaceAll(/(https?:\/\/[^\s"?\\]{1,1000})\?[^\s"\\]{0,4000}/g, "$1");
}
