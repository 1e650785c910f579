/** The catalogue of carriers that ships with Boathook: `carriers/`, one file a carrier, from public documentation. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { Type, type Static } from "typebox";
import { Compile } from "typebox/compile";

import { parseJson } from "../../../../model/json.ts";
import { fileProblems } from "../../../../model/validation-error.ts";

const Sentence = Type.String({ minLength: 1, maxLength: 400 });
const Sentences = Type.Array(Sentence, { maxItems: 20 });
const WebAddress = Type.String({ pattern: "^https://[^\\s]+$", form: "a URL that begins with https://" });

/** Fields of a carriers file's entry. A `{name}` in a text stands for what the user gives by that name. */
const EntryPart = Type.Record(Type.String(), Type.Unknown());

const SignInSchema = Type.Object(
  {
    kind: Type.Union([
      Type.Literal("key"),
      Type.Literal("client credentials"),
      Type.Literal("signed assertion"),
      Type.Literal("client credentials and key"),
    ]),
    needs: Type.Record(Type.String({ pattern: "^[a-z][A-Za-z]{1,39}$" }), Sentence, {
      description: "What the user gives, and where the carrier shows it.",
    }),
    entry: EntryPart,
  },
  { additionalProperties: false },
);

const CatalogueEntrySchema = Type.Object(
  {
    scac: Type.String({ pattern: "^[A-Z]{4}$", form: "four capital letters" }),
    name: Type.String({ minLength: 1, maxLength: 100 }),
    covers: Type.Optional(
      Type.Array(Type.String({ pattern: "^[A-Z]{4}$" }), {
        description: "Other SCACs that its API answers for.",
      }),
    ),
    documented: Type.Object(
      { how: Sentence, question: Sentence, paging: Sentence, quota: Sentence },
      { additionalProperties: false, description: "What its documentation says, for people." },
    ),
    apply: Type.Object({ url: WebAddress, how: Sentence }, { additionalProperties: false }),
    entry: Type.Optional(EntryPart),
    signIn: Type.Array(SignInSchema, {
      maxItems: 4,
      description: "The ways to sign in; the file's fields choose.",
    }),
    unsupported: Type.Optional({
      ...Sentence,
      description: "Why Boathook cannot poll it.",
    } as typeof Sentence),
    recorded: Type.Optional(
      Type.Literal(true, { description: "Recorded answers of it are public, and read in tests." }),
    ),
    quirks: Sentences,
    unknown: Type.Array(Sentence, { maxItems: 20, description: "What no public page was found to say." }),
    sources: Type.Array(
      Type.Object(
        { url: WebAddress, read: Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\d$" }), of: Sentence },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 10 },
    ),
  },
  { additionalProperties: false },
);

export type CatalogueEntry = Static<typeof CatalogueEntrySchema>;
export type SignIn = Static<typeof SignInSchema>;

/** By name. */
export type Catalogue = readonly CatalogueEntry[];

export const CATALOGUE_FOLDER = join(import.meta.dirname, "..", "..", "..", "..", "..", "carriers");

let shipped: Catalogue | null = null;

/** Read once: the files are part of the package. */
export function shippedCatalogue(): Catalogue {
  shipped ??= readCatalogue(CATALOGUE_FOLDER);
  return shipped;
}

/** Throws where a file is wrong. */
export function readCatalogue(folder: string): Catalogue {
  const check = Compile(CatalogueEntrySchema);
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return names
    .map((name) => {
      const value = parseJson(readFileSync(join(folder, name), "utf8"));
      if (check.Check(value) && name === `${value.scac}.json`) return value;
      const problems = check.Check(value)
        ? [`its SCAC is ${value.scac}`]
        : fileProblems(check.Type(), check.Errors(value));
      throw new Error(`carriers/${name} is wrong: ${problems.join("; ")}`);
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** By its SCAC, or another that its API answers for. */
export function entryOf(catalogue: Catalogue, scac: string): CatalogueEntry | null {
  return (
    catalogue.find((entry) => entry.scac === scac) ??
    catalogue.find(({ covers = [] }) => covers.includes(scac)) ??
    null
  );
}
