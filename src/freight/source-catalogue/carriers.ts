/**
 * The catalogue of carriers that ships with Boathook: `carriers/`, one file a carrier, from public documentation: its
 * tracking, and its schedules.
 */
import { Type, type Static } from "typebox";

import { defineCatalogue } from "./catalogue.ts";
import { apiFields, catalogueFields, EntryPart, Sentence, WebAddress } from "./schema.ts";

const DocumentedSchema = Type.Object(
  { how: Sentence, question: Sentence, paging: Sentence, quota: Sentence },
  { additionalProperties: false, description: "What its documentation says, for people." },
);

/** What a feed of schedules can be asked by. */
const SelectorSchema = Type.Enum(["services", "vessels", "ports", "pairs"]);

const SchedulesSchema = Type.Object(
  {
    documented: DocumentedSchema,
    feeds: Type.Array(
      Type.Object(
        {
          kind: Type.String({ pattern: "^[a-z-]{1,40}$", description: "Of the feed in the schedules file." }),
          by: Type.Array(SelectorSchema, { minItems: 1, maxItems: 4 }),
          entry: EntryPart,
          daysAheadMax: Type.Optional(
            Type.Object(
              { value: Type.Integer({ minimum: 1, maximum: 365 }), source: WebAddress },
              { additionalProperties: false, description: "The longest period, and the page that says so." },
            ),
          ),
        },
        { additionalProperties: false },
      ),
      { maxItems: 4, description: "For each question the first feed that takes it is asked." },
    ),
    ...apiFields,
  },
  { additionalProperties: false },
);

const CatalogueEntrySchema = Type.Object(
  {
    scac: Type.String({ pattern: "^[A-Z]{4}$", form: "four capital letters" }),
    covers: Type.Optional(
      Type.Array(Type.String({ pattern: "^[A-Z]{4}$" }), {
        description: "Other SCACs that its API answers for.",
      }),
    ),
    documented: DocumentedSchema,
    recorded: Type.Optional(
      Type.Literal(true, { description: "Recorded answers of it are public, and read in tests." }),
    ),
    ...catalogueFields,
    schedules: Type.Optional(SchedulesSchema),
  },
  { additionalProperties: false },
);

export type CatalogueEntry = Static<typeof CatalogueEntrySchema>;
export type CatalogueSchedules = Static<typeof SchedulesSchema>;

/** By name. */
export type Catalogue = readonly CatalogueEntry[];

export const { shippedCatalogue, entryOf } = defineCatalogue(
  "carriers",
  CatalogueEntrySchema,
  ({ scac }: CatalogueEntry) => scac,
);
