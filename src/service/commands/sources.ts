import { action, CommandError, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { facts, jsonText, printRows, table, type Column } from "../../cli/print.ts";
import { readSources, type ChannelAnswer, type SourceAnswer } from "../../freight/sources/read-sources.ts";
import { products } from "../../products/index.ts";
import { readConfigFiles } from "../config-files.ts";
import { describeSources } from "../products.ts";

const COLUMNS: readonly Column<SourceAnswer>[] = [
  ["SOURCE", ({ id }) => id],
  ["PRODUCT", ({ product }) => product],
  ["STATE", ({ state }) => state],
  ["NAME", ({ title }) => title],
  ["LAST", ({ last }) => last?.at ?? null],
  ["OUTCOME", ({ last }) => last?.outcome ?? null],
  ["WAITS UNTIL", ({ waits }) => waits?.until ?? null, "unless empty"],
  ["FOR", ({ waits }) => waits?.reason ?? null, "unless empty"],
  ["NEXT POLL", ({ polls }) => polls.next_at, "unless empty"],
  ["DUE", ({ polls }) => polls.due || null, "unless empty"],
  ["SKIPPED", ({ skipped }) => skipped || null, "unless empty"],
];

export const command: CommandFactory = (at) =>
  action(
    "sources",
    "Show carriers, airlines and feeds, healthy ones too: how they answered last on all nodes, what waits, and what could " +
      "not be read. With the id of one, all of it.",
    "boathook sources",
    "boathook sources carrier-maeu --json",
  )
    .argument("[source-id]")
    .option(...JSON_OPTION)
    .action(async (id, { json }) => {
      const opened = await at.open();
      const described = await describeSources(products, await readConfigFiles(opened.settings, products));
      const sources = await readSources(opened, described, id ?? null);
      if (id === undefined) return printRows(at, sources, COLUMNS, json);
      const [found] = sources;
      if (found === undefined)
        throw new CommandError(`There is no source ${id}: boathook sources lists them.`, 1);
      at.out(json === true ? jsonText(found) : detailText(found));
    });

const CHANNELS: readonly Column<ChannelAnswer>[] = [
  ["WAY", ({ about }) => about],
  ["LAST", ({ last }) => last?.at ?? null],
  ["ABOUT", ({ last }) => last?.subject ?? null],
  ["OUTCOME", ({ last }) => last?.text ?? null],
  ["FAILED", ({ failed_at: failedAt }) => failedAt, "unless empty"],
  ["WHY", ({ failure }) => failure?.code ?? null, "unless empty"],
  ["REQUESTS", ({ requests }) => requests],
  ["FAILURES", ({ failures }) => failures],
  [
    "QUOTA",
    ({ quota }) => quota.map(({ per, limit, used }) => `${used} of ${limit} a ${per}`).join(", ") || null,
  ],
];

function detailText({ id, title, product, state, waits, polls, channels }: SourceAnswer): string {
  const skipped = channels.flatMap((channel) => channel.skipped);
  const parts = [
    facts([
      ["source", id],
      ["name", title],
      ["product", product],
      ["state", state],
      ["waits", waits === null ? null : `until ${waits.until}: ${waits.text}`],
      ["next poll", polls.next_at],
      ["due polls", polls.due],
    ]),
    table(channels, CHANNELS),
    ...(polls.failures.length === 0
      ? []
      : [
          table(polls.failures, [
            ["POLLS FAIL WITH", ({ failure }) => failure],
            ["POLLS", (one) => one.polls],
          ]),
        ]),
    ...(skipped.length === 0
      ? []
      : [
          table(skipped, [
            ["SKIPPED BECAUSE", ({ reason }) => reason],
            ["COUNT", ({ count }) => count],
            ["LAST", (one) => one.last_at],
            ["SUCH AS", ({ example }) => example],
          ]),
        ]),
  ];
  return parts.join("\n");
}
