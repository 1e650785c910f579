import { group } from "../../../cli/command.ts";
import { lineOf } from "../../../freight/references/owner-codes.ts";
import {
  entryOf,
  shippedCatalogue,
  type CatalogueEntry,
} from "../../../freight/source-catalogue/carriers.ts";
import { catalogueCommand } from "../../../freight/source-catalogue/catalogue-command.ts";
import { carriersCheck } from "../check/carrier-check.ts";

const carriersCatalogue = catalogueCommand<CatalogueEntry>({
  many: "carriers",
  lists: "the carriers whose APIs Boathook knows",
  file: "carriers file",
  key: "SCAC",
  argument: ["[scac]"],
  example: "MAEU",
  none: "no carrier of that SCAC",
  entries: shippedCatalogue,
  find: (scac) => entryOf(shippedCatalogue(), scac),
  codeOf: ({ scac }) => scac,
  apiOf: (entry) => entry,
  columns: ["CARRIER"],
  factsOf({ scac, name, covers = [] }) {
    const { owners, scacs } = lineOf(scac);
    return {
      first: [
        ["Carrier", `${scac} ${name}`],
        ["Also for", covers.join(" ") || null],
      ],
      last: [
        ["Bills begin", scacs.join(" ")],
        ["Containers", owners.join(" ")],
      ],
    };
  },
  exampleOf: ({ scac }) => ({ before: { carrier: scac } }),
});

export const command = group("carriers", "Carriers are whom ocean tracking polls.", [
  carriersCatalogue,
  carriersCheck,
]);
