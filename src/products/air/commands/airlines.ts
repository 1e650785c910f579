import { group } from "../../../cli/command.ts";
import { catalogueCommand } from "../../../freight/source-catalogue/catalogue-command.ts";
import { airlinesCheck } from "../check/airline-check.ts";
import {
  entryOf,
  isProvider,
  shippedCatalogue,
  type CatalogueEntry,
} from "../sources/catalogue/catalogue.ts";

const airlinesCatalogue = catalogueCommand<CatalogueEntry>({
  many: "airlines",
  lists: "the airlines and providers whose APIs Boathook knows",
  file: "airlines file",
  key: "code",
  argument: ["[code]", "an airline's IATA code, or a provider's name"],
  example: "LH",
  none: "no airline or provider of that code",
  entries: shippedCatalogue,
  find: (code) => entryOf(shippedCatalogue(), code),
  codeOf: ({ code }) => code,
  apiOf: (entry) => entry,
  missingOf: ({ missing = {} }) => missing,
  columns: ["AIRLINE", ["OFFERS", ({ offers }) => offers.join(", ")]],
  factsOf(entry) {
    const { code, name, covers = [], prefixes = [], offers } = entry;
    return {
      first: [
        [isProvider(entry) ? "Provider" : "Airline", `${code} ${name}`],
        ["Also for", covers.join(" ") || null],
        ["Prefixes", prefixes.join(" ") || "of any airline"],
        ["Offers", offers.join(", ")],
      ],
    };
  },
  exampleOf: (entry) => ({
    before: isProvider(entry) ? { airline: "QR", by: entry.code } : { airline: entry.code },
  }),
});

export const command = group("airlines", "Airlines are whom air cargo tracking polls.", [
  airlinesCatalogue,
  airlinesCheck,
]);
