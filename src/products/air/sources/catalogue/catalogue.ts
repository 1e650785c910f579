/** The catalogue of airlines that ships with Boathook: `airlines/`, one file an airline or provider, from public documentation. */
import { Type, type Static } from "typebox";

import { defineCatalogue } from "../../../../freight/source-catalogue/catalogue.ts";
import { catalogueFields, Sentence } from "../../../../freight/source-catalogue/schema.ts";

const Offer = Type.Union(
  [
    Type.Literal("ONE Record"),
    Type.Literal("own API"),
    Type.Literal("Cargo-XML"),
    Type.Literal("Cargo-IMP"),
    Type.Literal("push"),
  ],
  { description: "What it offers by its documentation." },
);

const CatalogueEntrySchema = Type.Object(
  {
    code: Type.String({
      pattern: "^(?:[A-Z0-9]{2}|[A-Z][A-Z0-9]{3,19})$",
      form: "an airline's two characters, or a provider's name in capital letters",
    }),
    covers: Type.Optional(
      Type.Array(Type.String({ pattern: "^[A-Z0-9]{2}$" }), {
        description: "Other airlines that its API answers for.",
      }),
    ),
    prefixes: Type.Optional(
      Type.Array(Type.String({ pattern: "^[0-9]{3}$" }), {
        minItems: 1,
        maxItems: 20,
        description: "First digits of its waybills; a provider has none.",
      }),
    ),
    offers: Type.Array(Offer, { minItems: 1, maxItems: 5 }),
    documented: Type.Object(
      { how: Sentence, question: Sentence, authentication: Sentence, quota: Sentence },
      { additionalProperties: false, description: "What its documentation says, for people." },
    ),
    missing: Type.Optional(
      Type.Record(Type.String({ pattern: "^[a-z][A-Za-z]{1,39}$" }), Sentence, {
        description: "Fields of the source that no document gives: the user's entry has to.",
      }),
    ),
    ...catalogueFields,
  },
  { additionalProperties: false },
);

export type CatalogueEntry = Static<typeof CatalogueEntrySchema>;

/** By name. */
export type Catalogue = readonly CatalogueEntry[];

export const { shippedCatalogue, entryOf } = defineCatalogue(
  "airlines",
  CatalogueEntrySchema,
  ({ code }: CatalogueEntry) => code,
);

/** Providers answer for airlines of any prefix. */
export const isProvider = ({ prefixes }: CatalogueEntry): boolean => prefixes === undefined;
