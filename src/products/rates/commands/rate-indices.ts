/** `boathook rates index`: indices over baskets of lanes. */
import { readFile } from "node:fs/promises";

import { computeIndex } from "../indices/compute.ts";
import { defineIndex, deleteIndex } from "../indices/define.ts";
import { readIndexDefinition } from "../indices/definition.ts";
import { listIndicesWithLatest } from "../indices/list.ts";
import { basketView, indexView } from "../indices/view.ts";
import { ValidationError, readDay } from "../../../freight/tables/field.ts";
import { action, CommandError, group } from "../../../cli/command.ts";
import { JSON_OPTION } from "../../../cli/options.ts";
import { jsonText, table } from "../../../cli/table.ts";
import { withStore } from "../../../service/commands/with-store.ts";

const add = action({
  about: "Defines an index from a .json file (docs/rates.md); its lanes must have rates on the base date.",
  arguments: ["file"],
  options: { json: JSON_OPTION },
  examples: ["boathook rates index add asia-europe.json"],
  async run({ options, positionals: [file = ""] }, at) {
    const bytes = await readFile(file).catch((cause: Error) => {
      throw new CommandError(`${file} cannot be read: ${cause.message}`, 1);
    });
    const read = readIndexDefinition(bytes);
    if (read.kind === "invalid") throw new CommandError(`${file}: ${read.message}`, 1);
    const defined = await withStore(at, ({ store, cells, clock, random }) =>
      defineIndex({ database: store.database, cells, clock, random }, read.index),
    );
    if (defined.kind === "refused") throw new CommandError(`${file}: ${defined.message}`, 1);
    const shown = { ...indexView(defined.index), lanes: basketView(defined.index) };
    const next = shown.next_at === null ? "on demand" : `first at ${shown.next_at}`;
    at.out(options.json === true ? jsonText(shown) : `Defined ${shown.id}, computed ${next}.\n`);
    return 0;
  },
});

const list = action({
  about: "Lists the indices with their latest values.",
  arguments: [],
  options: { json: JSON_OPTION },
  examples: ["boathook rates index list"],
  async run({ options }, at) {
    const shown = await withStore(at, ({ store, cells }) => listIndicesWithLatest(store.database, cells[0]));
    if (options.json === true) {
      at.out(jsonText(shown));
      return 0;
    }
    const rows = shown.map(({ id, currency, day, latest, next_at: next }) => [
      id,
      currency,
      day,
      latest.dated,
      latest.value,
      latest.previous?.change_percent ?? "-",
      latest.four_weeks_before?.change_percent ?? "-",
      next ?? "-",
    ]);
    at.out(table(["ID", "CURRENCY", "DAY", "DATED", "VALUE", "CHANGE %", "4 WEEKS %", "NEXT"], rows));
    return 0;
  },
});

const compute = action({
  about: "Computes the value of an index for today, or for another day after its last value.",
  arguments: ["index-id"],
  options: {
    on: { type: "string", value: "date", about: "the day (default: today, UTC)" },
    json: JSON_OPTION,
  },
  examples: ["boathook rates index compute asia-europe-40hc"],
  async run({ options, positionals: [id = ""] }, at) {
    const on = options.on === undefined ? null : parseDay(options.on);
    const computed = await withStore(at, ({ store, cells, clock, random }) =>
      computeIndex({ database: store.database, cells, clock, random }, id, on),
    );
    if (computed.kind === "missing") throw new CommandError(`There is no index ${id}.`, 1);
    if (computed.kind === "refused") throw new CommandError(`${id}: ${computed.message}`, 1);
    const { dated, value, previous } = computed.value;
    const already = computed.kind === "exists" ? ", as it was already" : "";
    const change = previous === null ? "" : `, ${previous.change_percent} % since ${previous.dated}`;
    at.out(
      options.json === true ? jsonText(computed.value) : `${id} on ${dated}: ${value}${change}${already}.\n`,
    );
    return 0;
  },
});

function parseDay(typed: string): string {
  try {
    return readDay(typed);
  } catch (error) {
    if (error instanceof ValidationError) throw new CommandError(`--on ${error.message}`);
    throw error;
  }
}

const remove = action({
  about: "Removes an index and its values.",
  arguments: ["index-id"],
  options: { json: JSON_OPTION },
  examples: ["boathook rates index remove asia-europe-40hc"],
  async run({ options, positionals: [id = ""] }, at) {
    const isRemoved = await withStore(at, ({ store, cells, clock, random }) =>
      deleteIndex({ database: store.database, cells, clock, random }, id),
    );
    if (!isRemoved) throw new CommandError(`There is no index ${id}.`, 1);
    at.out(options.json === true ? jsonText({ id, deleted: true }) : "Removed.\n");
    return 0;
  },
});

export const rateIndices = group("Indices over baskets of lanes.", { add, list, compute, remove });
