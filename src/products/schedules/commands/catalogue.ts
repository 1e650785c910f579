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

type Listed = Pick<CatalogueEntry, "scac" | "name" | "covers" | "apply"> & {
  readonly schedules: CatalogueSchedules;
};

const COLUMNS: readonly Column<Listed>[] = [
  ["SCAC", ({ scac, covers = [] }) => [scac, ...covers].join(" ")],
  ["CARRIER", ({ name }) => name],
  ["ASKED BY", ({ schedules }) => askedBy(schedules) || "-"],
  ["YOU NEED", ({ schedules }) => needsOf(schedules)],
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
      at.out(json === true ? jsonText(known) : entryText(known));
    });

function listedOf({ scac, name, covers, apply, schedules }: CatalogueEntry): readonly Listed[] {
  if (schedules === undefined) return [];
  return [{ scac, name, ...(covers === undefined ? {} : { covers }), apply, schedules }];
}

function askedBy({ feeds }: CatalogueSchedules): string {
  return feeds.flatMap(({ by }) => by).join(", ");
}

/** `clientId, clientSecret or apiKey`. */
function needsOf({ signIn, unsupported }: CatalogueSchedules): string {
  if (unsupported !== undefined) return `not polled: ${unsupported}`;
  return signIn.map(({ needs }) => Object.keys(needs).join(", ")).join(" or ");
}

function entryText({ scac, name, apply, schedules }: Listed): string {
  const { documented, feeds, signIn, unsupported, quirks, unknown, sources } = schedules;
  const head = facts([
    ["Carrier", `${scac} ${name}`],
    ["Not polled", unsupported ?? null],
    ["Documented", documented.how],
    ["Question", documented.question],
    ["Paging", documented.paging],
    ["Quota", documented.quota],
    ["Apply at", `${apply.url}: ${apply.how}`],
  ]);
  const needs = signIn.map((way) =>
    section(
      `Sign in by ${way.kind}`,
      Object.entries(way.needs).map(([need, where]) => `${need}: ${where}`),
    ),
  );
  const [first] = signIn;
  return [
    head,
    section(
      "Feeds",
      feeds.map(({ kind, by }) => `${kind}, by ${by.join(", ")}`),
    ),
    ...needs,
    section("In the schedules file", first === undefined ? [] : [exampleOf(scac, Object.keys(first.needs))]),
    section("Quirks", quirks),
    section("Not known", unknown),
    section(
      "From",
      sources.map(({ url, read, of }) => `${url} (${read}): ${of}`),
    ),
  ]
    .filter((text) => text !== "")
    .join("\n");
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : `${title}:\n${lines.map((line) => `  ${line}\n`).join("")}`;

function exampleOf(scac: string, needs: readonly string[]): string {
  const given = Object.fromEntries(needs.map((need) => [need, "…"]));
  return JSON.stringify({
    carrier: scac,
    ...given,
    ports: ["NLRTM"],
    pairs: [{ from: "CNSHA", to: "NLRTM" }],
  });
}
