/** `boathook rates`: what lanes cost, and the indices over them (docs/rates.md). */
import { action, CommandError, group, type CommandFactory } from "../../../cli/command.ts";
import { problemLines, readNamedFile, tableFormat } from "../../../cli/files.ts";
import { JSON_OPTION, limitOption, uuid } from "../../../cli/options.ts";
import { display, jsonText, printAnswer, printRows, table, type Column } from "../../../cli/print.ts";
import { utcDay } from "../../../model/instant.ts";
import { runToEnd } from "../../../runtime/time-slices.ts";
import { readLaneFilter } from "../lanes/lane-filter.ts";
import { laneView, pastRateView, type LaneView, type PastRateView } from "../lanes/lane-view.ts";
import { FILE_BOUNDS, readRates, type ReadRates } from "../lanes/read-rates.ts";
import { RATES_LOADED } from "../operator/load.ts";
import { getLane, listPastRates, listLanes } from "../store/reading/rate-lanes-read.ts";
import { loadFile, removeLaneRate } from "../lanes/load.ts";
import { noteLoad } from "./note-load.ts";
import { rateCurrencies } from "./rate-currencies.ts";
import { rateIndices } from "./rate-indices.ts";

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 10_000;
/** A screen full. */
const PROBLEMS_SHOWN_MAX = 100;

const load: CommandFactory = (at) =>
  action(
    "load",
    "Load rates from a .csv or .json file, line by line. A wrong line is reported, and the others are loaded.",
    "boathook rates load rates-2026-12.csv --strict",
  )
    .argument("<file>")
    .option("--strict", "load nothing if a single line is wrong")
    .option(...JSON_OPTION)
    .action(async (file, { strict = false, json }) => {
      const read = await readRatesFile(file);
      const opened = await at.open();
      const { hasLoaded, ...report } = await loadFile(opened, read, strict);
      await noteLoad(opened, RATES_LOADED, report.lines, hasLoaded);
      const { lines, loaded, replaced, unchanged, changes, refused, problems } = report;
      if (refused > 0) at.exitStatus = 1;
      if (json) return at.out(jsonText(report));
      if (hasLoaded) {
        at.out(
          `Loaded ${loaded} of ${lines} rates; ${replaced} of them replace others. ` +
            `${unchanged} were there already. ${changedToday(changes)}\n`,
        );
      }
      const what = hasLoaded ? `Not loaded, ${refused}` : `Nothing was loaded from ${file}`;
      const wrong = problems.map(({ line, message }) => `line ${line}: ${message}`);
      if (refused > 0) at.err(`${what}:\n${problemLines(wrong, PROBLEMS_SHOWN_MAX, ": --json lists all")}\n`);
    });

/** Who loads for the first time reads why no event was raised. */
function changedToday(changes: number): string {
  const told = `Prices that changed today: ${changes}`;
  return changes > 0 ? `${told}.` : `${told} (a first rate of a lane, or one of other days, changes none).`;
}

async function readRatesFile(file: string): Promise<Extract<ReadRates, { kind: "rates" }>> {
  const format = tableFormat(file);
  const bytes = await readNamedFile(file, { bytesMax: FILE_BOUNDS.bytesMax });
  const read = runToEnd(readRates(bytes, format, FILE_BOUNDS));
  if (read.kind === "rates") return read;
  throw new CommandError(`Nothing was loaded from ${file}: ${read.message}`, 1);
}

const list: CommandFactory = (at) =>
  action(
    "list",
    "List lanes and the rates that are valid today, or on another day.",
    "boathook rates list --origin CNSHA --destination NLRTM",
  )
    .option("--origin <unlocode>", "only lanes from there")
    .option("--destination <unlocode>", "only lanes to there")
    .option("--equipment <code>", "only lanes for this equipment, such as 40HC")
    .option("--carrier <scac>", "only lanes of one carrier; market: the market's")
    .option("--kind <kind>", "only contract or spot rates; none: those of no stated kind")
    .option("--contract <number>", "only rates of this contract, by number or name")
    .option("--commodity <name>", "only rates for this commodity, such as FAK")
    .option("--on <date>", "the rates of this day (default: today, UTC)")
    .option(...limitOption(LIMIT_MAX, LIMIT_DEFAULT))
    .option(...JSON_OPTION)
    .action(async ({ limit, json, ...asked }) => {
      const read = readLaneFilter(asked);
      if (read.kind === "invalid") throw new CommandError(`--${read.message}`);
      const { database, productCells, clock } = await at.open();
      const filter = { ...read.filter, day: read.filter.on ?? utcDay(clock.nowMs()) };
      const found = await listLanes(database, productCells.of("rates"), filter, {
        afterId: null,
        limit: limit + 1,
      });
      const lanes = found.slice(0, limit).map(laneView);
      at.out(json ? jsonText(lanes.map(fileFields)) : table(lanes, LANE_COLUMNS));
      if (found.length > limit) at.err(`There are more: --limit takes up to ${LIMIT_MAX}.\n`);
    });

/** The fields of a file, so that you can load what you list. */
function fileFields({ id, rate, ...lane }: LaneView): object {
  return { ...lane, lane_id: id, ...(rate ?? { rate }) };
}

const LANE_COLUMNS: readonly Column<LaneView>[] = [
  ["LANE", ({ id }) => id],
  ["FROM", ({ origin }) => origin],
  ["TO", ({ destination }) => destination],
  ["EQUIPMENT", ({ equipment }) => equipment],
  ["CARRIER", ({ carrier }) => carrier ?? "market"],
  ["CURRENCY", ({ currency }) => currency],
  ["TOTAL", ({ rate }) => amount(rate?.total)],
  ["VALID FROM", ({ rate }) => rate?.valid_from ?? null],
  ["TO", ({ rate }) => rate?.valid_to ?? null],
  ["NOT IN TOTAL", ({ rate }) => notInTotalText(rate?.not_in_total ?? [])],
  ["LAYER", ({ rate }) => rate?.layer ?? null],
  ["KIND", ({ kind }) => kind],
  ["CONTRACT", ({ contract }) => contract],
  ["COMMODITY", ({ commodity }) => commodity],
  ["RATE", ({ rate }) => rate?.id ?? null],
];

/** `45.00 USD a bill, 1200.00 CNY` */
function notInTotalText(rest: NonNullable<LaneView["rate"]>["not_in_total"]): string | null {
  const parts = rest.map((one) => `${one.amount} ${one.currency}${one.per === "bill" ? " a bill" : ""}`);
  return parts.length === 0 ? null : parts.join(", ");
}

const AMOUNT_WIDTH = 10;

/** Flush right, as numbers are. */
function amount(text: string | undefined): string {
  return String(display(text ?? null)).padStart(AMOUNT_WIDTH);
}

const history: CommandFactory = (at) =>
  action(
    "history",
    "List all rates that a lane has had, including replaced and removed ones.",
    "boathook rates history 01a1fc9a-2b31-7f4e-9d52-0c1f1c3f4a7d",
  )
    .argument("<lane-id>", "", uuid)
    .option(...JSON_OPTION)
    .action(async (id, { json }) => {
      const { database, productCells, clock } = await at.open();
      const lane = await getLane(database, productCells.of("rates"), id, utcDay(clock.nowMs()));
      if (lane === null) throw new CommandError("There is no lane of that id.", 1);
      const past = await listPastRates(database, productCells.of("rates"), id, {
        afterId: null,
        limit: LIMIT_MAX,
      });
      printRows(
        at,
        past.map((rate) => pastRateView(rate, lane.currency)),
        HISTORY_COLUMNS,
        json,
      );
    });

const HISTORY_COLUMNS: readonly Column<PastRateView>[] = [
  ["LAYER", ({ layer }) => layer],
  ["VALID FROM", ({ valid_from }) => valid_from],
  ["TO", ({ valid_to }) => valid_to],
  ["BASE", ({ base }) => amount(base)],
  ["TOTAL", ({ total }) => amount(total)],
  ["NOT IN TOTAL", ({ not_in_total: rest }) => notInTotalText(rest)],
  ["LOADED AT", ({ loaded_at }) => loaded_at],
  ["STATE", ({ ended_by, ended_at }) => (ended_by === null ? "in force" : `${ended_by} ${ended_at}`)],
  ["RATE", ({ id }) => id],
];

const remove: CommandFactory = (at) =>
  action(
    "remove",
    "Take a rate out of force. Its history stays.",
    "boathook rates remove 01a1fc9a-2b31-7f4e-9d52-0c1f1c3f4a7e",
  )
    .argument("<rate-id>", "", uuid)
    .option(...JSON_OPTION)
    .action(async (id, { json }) => {
      const changes = await removeLaneRate(await at.open(), id);
      if (changes === null) throw new CommandError("There is no rate of that id in force.", 1);
      printAnswer(at, { id, deleted: true, changes }, "Removed.", json);
    });

export const command = group(
  "rates",
  "Freight rates: what a container costs on a lane, and indices over lanes.",
  [load, list, history, remove, rateIndices, rateCurrencies],
);
