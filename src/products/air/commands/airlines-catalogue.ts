/** `boathook airlines catalogue`: the airlines and providers whose APIs Boathook knows, and what you need to sign in. */
import { action, CommandError, type CommandFactory } from "../../../cli/command.ts";
import { JSON_OPTION } from "../../../cli/options.ts";
import { facts, jsonText, printRows, type Column } from "../../../cli/print.ts";
import { entryText, needsOf } from "../../../freight/source-catalogue/print-entry.ts";
import {
  entryOf,
  isProvider,
  shippedCatalogue,
  type CatalogueEntry,
} from "../sources/catalogue/catalogue.ts";

const COLUMNS: readonly Column<CatalogueEntry>[] = [
  ["CODE", ({ code, covers = [] }) => [code, ...covers].join(" ")],
  ["AIRLINE", ({ name }) => name],
  ["OFFERS", ({ offers }) => offers.join(", ")],
  ["YOU NEED", (entry) => needsText(entry)],
  ["APPLY AT", ({ apply }) => apply.url],
];

export const catalogueCommand: CommandFactory = (at) =>
  action(
    "catalogue",
    "List the airlines and providers whose APIs Boathook knows: what your entry in the airlines file needs, and where " +
      "to apply. With a code, all that is known of one.",
    "boathook airlines catalogue",
    "boathook airlines catalogue LH",
  )
    .argument("[code]", "an airline's IATA code, or a provider's name")
    .option(...JSON_OPTION)
    .action((code, { json }) => {
      const catalogue = shippedCatalogue();
      if (code === undefined) return printRows(at, catalogue, COLUMNS, json);
      const entry = entryOf(catalogue, code.toUpperCase());
      if (entry === null) {
        throw new CommandError(
          "The catalogue has no airline or provider of that code; `boathook airlines catalogue` lists all.",
          1,
        );
      }
      at.out(json === true ? jsonText(entry) : airlineText(entry));
    });

function needsText(entry: CatalogueEntry): string {
  if (entry.unsupported !== undefined) return `not polled: ${entry.unsupported}`;
  return [needsOf(entry), ...Object.keys(entry.missing ?? {})].join(", ");
}

function airlineText(entry: CatalogueEntry): string {
  const {
    code,
    name,
    covers = [],
    prefixes = [],
    offers,
    documented,
    missing = {},
    apply,
    unsupported,
  } = entry;
  const head = facts([
    [isProvider(entry) ? "Provider" : "Airline", `${code} ${name}`],
    ["Also for", covers.join(" ") || null],
    ["Prefixes", prefixes.join(" ") || "of any airline"],
    ["Offers", offers.join(", ")],
    ["Not polled", unsupported ?? null],
    ["Documented", documented.how],
    ["Question", documented.question],
    ["Signing in", documented.authentication],
    ["Quota", documented.quota],
    ...Object.entries(missing).map(([field, why]) => ["You add", `${field}: ${why}`] as const),
    ["Apply at", `${apply.url}: ${apply.how}`],
  ]);
  const named = isProvider(entry) ? { airline: "QR", by: code } : { airline: code };
  return entryText([head], entry, "airlines file", (fields) => ({ ...named, ...fields }));
}
