/** `boathook schedules catalogue`: the carriers whose schedules Boathook can poll. */
import {
  entryOf,
  shippedCatalogue,
  type CatalogueEntry,
  type CatalogueSchedules,
} from "../../../freight/source-catalogue/carriers.ts";
import { catalogueCommand, section } from "../../../freight/source-catalogue/catalogue-command.ts";

type Listed = Pick<CatalogueEntry, "scac" | "name" | "covers" | "apply"> & {
  readonly schedules: CatalogueSchedules;
};

export const catalogue = catalogueCommand<Listed>({
  many: "schedules",
  lists: "the carriers whose schedules Boathook can poll",
  file: "schedules file",
  key: "SCAC",
  argument: ["[scac]"],
  example: "MAEU",
  none: "no schedules of that carrier",
  entries: () => shippedCatalogue().flatMap(listedOf),
  find(scac) {
    const entry = entryOf(shippedCatalogue(), scac);
    return entry === null ? null : (listedOf(entry)[0] ?? null);
  },
  codeOf: ({ scac }) => scac,
  apiOf: ({ schedules }) => schedules,
  columns: [
    "CARRIER",
    ["ASKED BY", ({ schedules: { feeds } }) => feeds.flatMap(({ by }) => by).join(", ") || "-"],
  ],
  factsOf: ({ scac, name }) => ({ first: [["Carrier", `${scac} ${name}`]] }),
  notesOf({ schedules: { feeds } }) {
    const asked = feeds.map(({ kind, by }) => `${kind}, by ${by.join(", ")}`);
    return section("Feeds", asked);
  },
  exampleOf: ({ scac }) => ({
    before: { carrier: scac },
    after: { ports: ["NLRTM"], pairs: [{ from: "CNSHA", to: "NLRTM" }] },
  }),
});

function listedOf({ scac, name, covers, apply, schedules }: CatalogueEntry): readonly Listed[] {
  if (schedules === undefined) return [];
  return [{ scac, name, ...(covers === undefined ? {} : { covers }), apply, schedules }];
}
