/** A file of a kind of source: entries that name a source of the catalogue are written out first. */
import { Type, type TSchema } from "typebox";

import { validatorOf } from "../../model/validation-error.ts";
import { isObject, parseJson, type JsonObject } from "../../model/json.ts";
import { readUpstreamFile, type ReadEntries } from "../upstream/upstream-file.ts";
import type { Filled } from "./fill-entry.ts";

export type SourceFile<Entry, Catalogue> = {
  /** `carriers`. */
  readonly name: string;
  readonly entry: TSchema;
  readonly entriesMax: number;
  readonly shipped: () => Catalogue;
  /** The field by which an entry names a source of the catalogue: `carrier`. */
  readonly namedBy: string;
  /** An entry that has the field and is written out by the user. */
  readonly isOwn?: (entry: JsonObject) => boolean;
  readonly fill: (entry: JsonObject, catalogue: Catalogue) => Filled;
  /** What the schema cannot see, by place: `/0/baseUrl is no URL`. */
  readonly problemsOf: (entry: Entry, place: string) => readonly string[];
  /** What no two entries may have: `carrier MAEU is listed twice`. */
  readonly keysOf: (entry: Entry) => readonly string[];
  readonly twice: (key: string) => string;
};

export type ReadSourceFile<Entry, Catalogue> = (
  text: string,
  catalogue?: () => Catalogue,
) => ReadEntries<Entry>;

export function createFileReader<Entry, Catalogue>(
  file: SourceFile<Entry, Catalogue>,
): ReadSourceFile<Entry, Catalogue> {
  const schema = Type.Array(file.entry, { maxItems: file.entriesMax });
  return (text, catalogue = file.shipped) => {
    const written = writtenOut(text, file, catalogue);
    if ("problems" in written) return { kind: "invalid", problems: written.problems };
    const problemsOf = (value: unknown) => problemsIn(value as readonly Entry[], file);
    const read = readUpstreamFile(file.name, written.text, validatorOf(schema), problemsOf, [file.namedBy]);
    if (read.kind === "read") return { kind: "entries", entries: read.value as readonly Entry[] };
    // An entry that becomes two has its mistake in both.
    return { kind: "invalid", problems: [...new Set(read.problems.map(written.inFile))] };
  };
}

function problemsIn<Entry>(
  entries: readonly Entry[],
  { problemsOf, keysOf, twice }: Pick<SourceFile<Entry, never>, "problemsOf" | "keysOf" | "twice">,
): readonly string[] {
  const keys = entries.flatMap(keysOf);
  const repeated = keys.find((key, index) => keys.indexOf(key) !== index);
  return [
    ...entries.flatMap((entry, index) => problemsOf(entry, `/${index}`)),
    ...(repeated === undefined ? [] : [twice(repeated)]),
  ];
}

type WrittenOut =
  | {
      readonly text: string;
      /** A problem of the text, with the place of its entry in the user's file. */
      readonly inFile: (problem: string) => string;
    }
  | { readonly problems: readonly string[] };

/** Text whose entries name none does not change: its reader says what is wrong. */
function writtenOut<Catalogue>(
  text: string,
  { namedBy, isOwn = () => false, fill }: Pick<SourceFile<never, Catalogue>, "namedBy" | "isOwn" | "fill">,
  catalogue: () => Catalogue,
): WrittenOut {
  const entries = parseJson(text);
  const names = (entry: unknown): entry is JsonObject =>
    isObject(entry) && Object.hasOwn(entry, namedBy) && !isOwn(entry);
  if (!Array.isArray(entries) || !entries.some(names)) return { text, inFile: (problem) => problem };
  const problems: string[] = [];
  const written: unknown[] = [];
  const places: number[] = [];
  for (const [index, entry] of entries.entries()) {
    const filled = names(entry) ? fill(entry, catalogue()) : { entries: [entry] };
    if ("problems" in filled) problems.push(...filled.problems.map((problem) => `/${index}/${problem}`));
    else for (const one of filled.entries) places[written.push(one) - 1] = index;
  }
  if (problems.length > 0) return { problems };
  const placeOf = (place: string): number | string => places[Number(place)] ?? place;
  return {
    text: JSON.stringify(written),
    inFile: (problem) => problem.replace(/^\/(\d+)/, (_, place: string) => `/${placeOf(place)}`),
  };
}
