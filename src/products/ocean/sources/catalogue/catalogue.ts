/** The catalogue of carriers that ships with Boathook: `carriers/`, one file a carrier, from public documentation. */
import { join } from "node:path";

import { Type, type Static } from "typebox";

import { PACKAGE_FOLDER, readCatalogueFolder } from "../../../../freight/source-catalogue/read-catalogue.ts";
import { catalogueFields, Sentence } from "../../../../freight/source-catalogue/schema.ts";

const CatalogueEntrySchema = Type.Object(
  {
    scac: Type.String({ pattern: "^[A-Z]{4}$", form: "four capital letters" }),
    covers: Type.Optional(
      Type.Array(Type.String({ pattern: "^[A-Z]{4}$" }), {
        description: "Other SCACs that its API answers for.",
      }),
    ),
    documented: Type.Object(
      { how: Sentence, question: Sentence, paging: Sentence, quota: Sentence },
      { additionalProperties: false, description: "What its documentation says, for people." },
    ),
    recorded: Type.Optional(
      Type.Literal(true, { description: "Recorded answers of it are public, and read in tests." }),
    ),
    ...catalogueFields,
  },
  { additionalProperties: false },
);

export type CatalogueEntry = Static<typeof CatalogueEntrySchema>;

/** By name. */
export type Catalogue = readonly CatalogueEntry[];

let shipped: Catalogue | null = null;

/** Read once: the files are part of the package. */
export function shippedCatalogue(): Catalogue {
  shipped ??= readCatalogueFolder(join(PACKAGE_FOLDER, "carriers"), CatalogueEntrySchema, ({ scac }) => scac);
  return shipped;
}

/** By its SCAC, or another that its API answers for. */
export function entryOf(catalogue: Catalogue, scac: string): CatalogueEntry | null {
  return (
    catalogue.find((entry) => entry.scac === scac) ??
    catalogue.find(({ covers = [] }) => covers.includes(scac)) ??
    null
  );
}
