/** `boathook rates`: what lanes cost, and the indices over them (docs/rates.md). */
import { readFile, stat } from "node:fs/promises";

import { utcDay } from "../../../model/instant.ts";
import { FILE_BOUNDS } from "../lanes/bounds.ts";
import { readLaneFilter } from "../lanes/lane-filter.ts";
import { laneView, pastRateView, type LaneView, type PastRateView } from "../lanes/lane-view.ts";
import { removeLaneRate } from "../lanes/load.ts";
import { loadFile } from "../lanes/load-file.ts";
import { readRates, type RateProblem, type ReadRates } from "../lanes/read-rates.ts";
import type { TableFormat } from "../../../freight/tables/rows.ts";
import { runToEnd } from "../../../runtime/time-slices.ts";
import { getLane, listPastRates, listLanes } from "../store/rate-lanes-read.ts";
import { action, CommandError, group } from "../../../cli/command.ts";
import { parseId, JSON_OPTION, parseWholeNumber } from "../../../cli/options.ts";
import { rateIndices } from "./rate-indices.ts";
import { jsonText, table } from "../../../cli/table.ts";
import { withStore } from "../../../service/commands/with-store.ts";

const LIMIT_DEFAULT = "100";
const LIMIT_MAX = 10_000;

const load = action({
  about:
    "Loads rates from a .csv or .json file, line by line; a line that is wrong is told, and stops nothing else.",
  arguments: ["file"],
  options: {
    strict: { type: "boolean", about: "load nothing where a single line is wrong" },
    json: JSON_OPTION,
  },
  examples: ["boathook rates load rates-2026-12.csv --strict"],
  async run({ options, positionals: [file = ""] }, at) {
    const read = await readRatesFile(file);
    const { hasLoaded, ...told } = await withStore(at, ({ store, cells, clock, random }) =>
      loadFile({ database: store.database, cells, clock, random }, read, options.strict === true),
    );
    const { lines, loaded, replaced, unchanged, changes, refused, problems } = told;
    if (options.json === true) at.out(jsonText(told));
    else {
      if (hasLoaded) {
        at.out(
          `Loaded ${loaded} of ${lines} rates, ${replaced} of them in the place of others; ` +
            `${unchanged} were there already. Changed today: ${changes}.\n`,
        );
      }
      const what = hasLoaded ? `Not loaded, ${refused}` : `Nothing was loaded from ${file}`;
      if (refused > 0) at.err(`${what}:\n${problemLines(problems)}\n`);
    }
    return refused === 0 ? 0 : 1;
  },
});

async function readRatesFile(file: string): Promise<Extract<ReadRates, { kind: "rates" }>> {
  const format = /\.(csv|json)$/i.exec(file)?.[1]?.toLowerCase() as TableFormat | undefined;
  if (format === undefined) throw new CommandError(`${file} must be a file named .csv or .json`);
  const bytes = await readFileUpTo(file, FILE_BOUNDS.bytesMax);
  const read = runToEnd(readRates(bytes, format, FILE_BOUNDS));
  if (read.kind === "rates") return read;
  throw new CommandError(`Nothing was loaded from ${file}: ${read.message}`, 1);
}

/** Read only where it is no larger than that. */
async function readFileUpTo(file: string, bytesMax: number): Promise<Buffer> {
  try {
    const { size } = await stat(file);
    if (size <= bytesMax) return await readFile(file);
  } catch (cause) {
    throw new CommandError(`${file} cannot be read: ${(cause as Error).message}`, 1);
  }
  throw new CommandError(`${file} has more than ${bytesMax} bytes; load it in parts`, 1);
}

/** That a screen is filled with. */
const PROBLEMS_SHOWN_MAX = 100;

function problemLines(problems: readonly RateProblem[]): string {
  const shown = problems
    .slice(0, PROBLEMS_SHOWN_MAX)
    .map(({ line, message }) => `  line ${line}: ${message}`);
  const more = problems.length - shown.length;
  return [...shown, ...(more === 0 ? [] : [`  and ${more} more: --json tells all`])].join("\n");
}

const list = action({
  about: "Lists lanes and the rates that hold today, or on another day.",
  arguments: [],
  options: {
    origin: { type: "string", value: "unlocode", about: "only those from there" },
    destination: { type: "string", value: "unlocode", about: "only those to there" },
    equipment: { type: "string", value: "code", about: "only those for this equipment, such as 40HC" },
    carrier: { type: "string", value: "scac", about: "only those of one carrier; market: the market's" },
    on: { type: "string", value: "date", about: "the rates of this day (default: today, UTC)" },
    limit: { type: "string", value: "number", about: `how many (default ${LIMIT_DEFAULT})` },
    json: JSON_OPTION,
  },
  examples: ["boathook rates list --origin CNSHA --destination NLRTM"],
  async run({ options }, at) {
    const read = readLaneFilter(options);
    if (read.kind === "invalid") throw new CommandError(`--${read.name} ${read.message}`);
    const { filter } = read;
    const limit = parseWholeNumber("limit", options.limit ?? LIMIT_DEFAULT, 1, LIMIT_MAX);
    const found = await withStore(at, ({ store, cells, clock }) => {
      const day = filter.on ?? utcDay(clock.nowMs());
      return listLanes(store.database, cells[0], { ...filter, day }, { afterId: null, limit: limit + 1 });
    });
    const lanes = found.slice(0, limit).map(laneView);
    at.out(options.json === true ? jsonText(lanes.map(asFileRow)) : tableOfLanes(lanes));
    if (found.length > limit) at.err(`There are more: --limit takes up to ${LIMIT_MAX}.\n`);
    return 0;
  },
});

/** The fields of a file, so that what is listed can be loaded. */
function asFileRow({ id, rate, ...lane }: LaneView): object {
  if (rate === null) return { ...lane, lane_id: id, rate: null };
  return { ...lane, lane_id: id, ...rate };
}

function tableOfLanes(lanes: readonly LaneView[]): string {
  const rows = lanes.map(({ id, origin, destination, equipment, carrier, currency, rate }) => [
    id,
    origin,
    destination,
    equipment,
    carrier ?? "market",
    currency,
    rate?.total.padStart(TOTAL_WIDTH) ?? "-".padStart(TOTAL_WIDTH),
    rate?.valid_from ?? "-",
    rate?.valid_to ?? "-",
    rate?.id ?? "-",
  ]);
  return table(
    ["LANE", "FROM", "TO", "EQUIPMENT", "CARRIER", "CURRENCY", "TOTAL", "VALID FROM", "TO", "RATE"],
    rows,
  );
}

/** Amounts stand flush right. */
const TOTAL_WIDTH = 10;

const history = action({
  about: "Lists all rates that a lane has had, with those that were replaced or removed.",
  arguments: ["lane-id"],
  options: { json: JSON_OPTION },
  examples: ["boathook rates history 01a1fc9a-2b31-7f4e-9d52-0c1f1c3f4a7d"],
  async run({ options, positionals: [typed = ""] }, at) {
    const id = parseId("a lane", typed);
    const rates = await withStore(at, async ({ store: { database }, cells, clock }) => {
      const lane = await getLane(database, cells[0], id, utcDay(clock.nowMs()));
      if (lane === null) return null;
      const past = await listPastRates(database, cells[0], id, { afterId: null, limit: LIMIT_MAX });
      return past.map((rate) => pastRateView(rate, lane.currency));
    });
    if (rates === null) throw new CommandError("There is no lane of that id.", 1);
    at.out(options.json === true ? jsonText(rates) : tableOfHistory(rates));
    return 0;
  },
});

function tableOfHistory(rates: readonly PastRateView[]): string {
  const rows = rates.map((rate) => [
    rate.valid_from,
    rate.valid_to ?? "-",
    rate.base.padStart(TOTAL_WIDTH),
    rate.total.padStart(TOTAL_WIDTH),
    rate.loaded_at,
    rate.ended_by === null ? "in force" : `${rate.ended_by} ${rate.ended_at}`,
    rate.id,
  ]);
  return table(["VALID FROM", "TO", "BASE", "TOTAL", "LOADED AT", "STATE", "RATE"], rows);
}

const remove = action({
  about: "Takes a rate out of force; history keeps it.",
  arguments: ["rate-id"],
  options: { json: JSON_OPTION },
  examples: ["boathook rates remove 01a1fc9a-2b31-7f4e-9d52-0c1f1c3f4a7e"],
  async run({ options, positionals: [typed = ""] }, at) {
    const id = parseId("a rate", typed);
    const changes = await withStore(at, ({ store, cells, clock, random }) =>
      removeLaneRate({ database: store.database, cells, clock, random }, id),
    );
    if (changes === null) throw new CommandError("There is no rate of that id in force.", 1);
    at.out(options.json === true ? jsonText({ id, deleted: true, changes }) : "Removed.\n");
    return 0;
  },
});

export const command = group("Freight rates: what a container costs on a lane, and indices over lanes.", {
  load,
  list,
  history,
  remove,
  index: rateIndices,
});
