/** `boathook schedules catalogue`: the carriers whose schedules Boathook can poll, and what you need to sign in. */
import { action, CommandError, type CommandFactory } from "../../../cli/command.ts";
import { JSON_OPTION } from "../../../cli/options.ts";
import { facts, jsonText, printRows, type Column } from "../../../cli/print.ts";
import {
  entryOf,
  shippedCatalogue,
  type CatalogueEntry,
  type CatalogueSchedules,
} from "../../../freight/source-catalogue/carriers.ts";
import { entryText, needsOf, section } from "../../../freight/source-catalogue/print-entry.ts";

type Listed = Pick<CatalogueEntry, "scac" | "name" | "covers" | "apply"> & {
  readonly schedules: CatalogueSchedules;
};

const COLUMNS: readonly Column<Listed>[] = [
  ["SCAC", ({ scac, covers = [] }) => [scac, ...covers].join(" ")],
  ["CARRIER", ({ name }) => name],
  ["ASKED BY", ({ schedules }) => askedBy(schedules) || "-"],
  ["YOU NEED", ({ schedules }) => needsText(schedules)],
  ["APPLY AT", ({ apply }) => apply.url],
];

export const catalogue: CommandFactory = (at) =>
  action(
    "catalogue",
    "List the carriers whose schedules Boathook can poll: what your entry in the schedules file needs, and where to " +
      "apply. With a SCAC, all that is known of one.",
    "boathook schedules catalogue",
    "boathook schedules catalogue MAEU",
  )
    .argument("[scac]")
    .option(...JSON_OPTION)
    .action((scac, { json }) => {
      const listed = shippedCatalogue().flatMap(listedOf);
      if (scac === undefined) return printRows(at, listed, COLUMNS, json);
      const entry = entryOf(shippedCatalogue(), scac.toUpperCase());
      const [known] = entry === null ? [] : listedOf(entry);
      if (known === undefined) {
        throw new CommandError(
          "The catalogue has no schedules of that carrier; `boathook schedules catalogue` lists all.",
          1,
        );
      }
      at.out(json === true ? jsonText(known) : schedulesText(known));
    });

function listedOf({ scac, name, covers, apply, schedules }: CatalogueEntry): readonly Listed[] {
  if (schedules === undefined) return [];
  return [{ scac, name, ...(covers === undefined ? {} : { covers }), apply, schedules }];
}

function askedBy({ feeds }: CatalogueSchedules): string {
  return feeds.flatMap(({ by }) => by).join(", ");
}

function needsText(schedules: CatalogueSchedules): string {
  return schedules.unsupported === undefined ? needsOf(schedules) : `not polled: ${schedules.unsupported}`;
}

function schedulesText({ scac, name, apply, schedules }: Listed): string {
  const { documented, feeds, unsupported } = schedules;
  const head = facts([
    ["Carrier", `${scac} ${name}`],
    ["Not polled", unsupported ?? null],
    ["Documented", documented.how],
    ["Question", documented.question],
    ["Paging", documented.paging],
    ["Quota", documented.quota],
    ["Apply at", `${apply.url}: ${apply.how}`],
  ]);
  const asked = feeds.map(({ kind, by }) => `${kind}, by ${by.join(", ")}`);
  return entryText([head, section("Feeds", asked)], schedules, "schedules file", (fields) => ({
    carrier: scac,
    ...fields,
    ports: ["NLRTM"],
    pairs: [{ from: "CNSHA", to: "NLRTM" }],
  }));
}
