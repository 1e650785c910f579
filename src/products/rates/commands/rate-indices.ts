/** `boathook rates index`: indices over baskets of lanes. */
import { action, CommandError, group, type CommandFactory } from "../../../cli/command.ts";
import { readNamedFile } from "../../../cli/files.ts";
import { JSON_OPTION } from "../../../cli/options.ts";
import { printAnswer, printRows, type Column } from "../../../cli/print.ts";
import { readDay } from "../../../freight/tables/field.ts";
import { computeIndex } from "../indices/compute.ts";
import { defineIndex, deleteIndex } from "../indices/define.ts";
import { readIndexDefinition } from "../indices/definition.ts";
import { listIndicesWithLatest, type IndexValueView, type ListedIndex } from "../indices/view.ts";
import { basketView, indexView } from "../indices/view.ts";
import { fieldOption } from "./field-option.ts";

const add: CommandFactory = (at) =>
  action(
    "add",
    "Define an index from a .json file (docs/rates.md). Its lanes must have rates on the base date.",
    "boathook rates index add asia-europe.json",
  )
    .argument("<file>")
    .option(...JSON_OPTION)
    .action(async (file, { json }) => {
      const read = readIndexDefinition(await readNamedFile(file));
      if (read.kind === "invalid") throw new CommandError(`${file}: ${read.message}`, 1);
      const defined = await defineIndex(await at.open(), read.index);
      if (defined.kind === "refused") throw new CommandError(`${file}: ${defined.message}`, 1);
      const view = { ...indexView(defined.index), lanes: basketView(defined.index) };
      const next = view.next_at === null ? "on demand" : `first at ${view.next_at}`;
      printAnswer(at, view, `Defined ${view.id}, computed ${next}.`, json);
    });

const COLUMNS: readonly Column<ListedIndex>[] = [
  ["ID", ({ id }) => id],
  ["CURRENCY", ({ currency }) => currency],
  ["DAY", ({ day }) => day],
  ["DATED", ({ latest }) => latest.dated],
  ["VALUE", ({ latest }) => latest.value],
  ["CHANGE %", ({ latest }) => latest.previous?.change_percent ?? null],
  ["4 WEEKS %", ({ latest }) => latest.four_weeks_before?.change_percent ?? null],
  ["NEXT", ({ next_at }) => next_at],
  ["CONVERTED BY", ({ exchange_source: source }) => source, "unless empty"],
];

const list: CommandFactory = (at) =>
  action("list", "List the indices with their latest values.", "boathook rates index list")
    .option(...JSON_OPTION)
    .action(async ({ json }) => {
      const { database, productCells } = await at.open();
      printRows(at, await listIndicesWithLatest(database, productCells.of("rates")), COLUMNS, json);
    });

const compute: CommandFactory = (at) =>
  action(
    "compute",
    "Compute the value of an index for today, or for another day after its last value.",
    "boathook rates index compute asia-europe-40hc",
  )
    .argument("<index-id>")
    .option("--on <date>", "the day (default: today, UTC)", fieldOption(readDay))
    .option(...JSON_OPTION)
    .action(async (id, { on = null, json }) => {
      const computed = await computeIndex(await at.open(), id, on);
      if (computed.kind === "missing") throw new CommandError(`There is no index ${id}.`, 1);
      if (computed.kind === "refused") throw new CommandError(`${id}: ${computed.message}`, 1);
      const { dated, value, previous } = computed.value;
      const already = computed.kind === "exists" ? ", computed before" : "";
      const change = previous === null ? "" : `, ${previous.change_percent} % since ${previous.dated}`;
      const text = `${id} on ${dated}: ${value}${change}${already}.${exchangeSentence(computed.value)}`;
      printAnswer(at, computed.value, text, json);
    });

/** Whose rates of which days converted prices, and where there were none. */
function exchangeSentence({ exchange_rates: rates, currencies_missing: missing }: IndexValueView): string {
  const dates = [...new Set(rates.map(({ date }) => date))].join(", ");
  const used = rates[0] === undefined ? "" : ` Converted by ${rates[0].source}, ${dates}.`;
  return `${used}${missing.length === 0 ? "" : ` Left out, without an exchange rate: ${missing.join(", ")}.`}`;
}

const remove: CommandFactory = (at) =>
  action("remove", "Remove an index and its values.", "boathook rates index remove asia-europe-40hc")
    .argument("<index-id>")
    .option(...JSON_OPTION)
    .action(async (id, { json }) => {
      if (!(await deleteIndex(await at.open(), id))) throw new CommandError(`There is no index ${id}.`, 1);
      printAnswer(at, { id, deleted: true }, "Removed.", json);
    });

export const rateIndices = group("index", "Indices over baskets of lanes.", [add, list, compute, remove]);
