/** `boathook rates currencies`: exchange rates that convert the prices of indices (docs/rates.md). */
import { action, CommandError, group, type CommandFactory } from "../../../cli/command.ts";
import { problemLines, readNamedFile, tableFormat } from "../../../cli/files.ts";
import { JSON_OPTION } from "../../../cli/options.ts";
import { jsonText, printAnswer, table, type Column } from "../../../cli/print.ts";
import { readDay } from "../../../freight/tables/field.ts";
import { utcDay } from "../../../model/instant.ts";
import { runToEnd } from "../../../runtime/time-slices.ts";
import { readSource } from "../currencies/exchange-fields.ts";
import { deleteExchangeRates, loadExchangeRates } from "../currencies/load-exchange-rates.ts";
import { EXCHANGE_BOUNDS, readExchangeRates } from "../currencies/read-exchange-rates.ts";
import { viewExchangeRates, type ExchangeRateView } from "../currencies/view.ts";
import { readCurrency } from "../lanes/rate-fields.ts";
import { EXCHANGE_RATES_LOADED } from "../operator/currencies.ts";
import { fieldOption } from "./field-option.ts";
import { noteLoad } from "./note-load.ts";

/** A screen full. */
const PROBLEMS_SHOWN_MAX = 100;

const load: CommandFactory = (at) =>
  action(
    "load",
    "Load exchange rates from a .csv or .json file: date,base,currency,rate,source, or the European Central Bank's " +
      "reference rates as it publishes them in CSV.",
    "boathook rates currencies load eurofxref-hist.csv --source ECB",
  )
    .argument("<file>")
    .option("--source <name>", "whose rates they are, where the file does not say", fieldOption(readSource))
    .option(
      "--base <currency>",
      "the currency whose unit the rates price, where the file does not say (Date,USD,JPY,…: EUR)",
      fieldOption(readCurrency),
    )
    .option("--strict", "load nothing if a single line is wrong")
    .option(...JSON_OPTION)
    .action(async (file, { source = null, base = null, strict = false, json }) => {
      const format = tableFormat(file);
      const bytes = await readNamedFile(file, { bytesMax: EXCHANGE_BOUNDS.bytesMax });
      const opened = await at.open();
      const today = utcDay(opened.clock.nowMs());
      const read = runToEnd(readExchangeRates(bytes, format, { source, base, today }));
      if (read.kind === "unreadable")
        throw new CommandError(`Nothing was loaded from ${file}: ${read.message}`, 1);
      const result = await loadExchangeRates(opened, read, strict);
      const { lines, loaded, replaced, unchanged, refused, problems, left_out: leftOut } = result.answer;
      await noteLoad(opened, EXCHANGE_RATES_LOADED, lines, result.kind === "loaded");
      if (result.kind === "refused")
        throw new CommandError(`Nothing was loaded from ${file}: ${result.message}`, 1);
      if (refused > 0) at.exitStatus = 1;
      if (json) return at.out(jsonText(result.answer));
      if (result.kind === "loaded") {
        const withdrawn = leftOut.length === 0 ? "" : ` Left out, as withdrawn: ${leftOut.join(", ")}.`;
        at.out(
          `Loaded ${loaded} exchange rates; ${replaced} of them replace others. ` +
            `${unchanged} were there already.${withdrawn}\n`,
        );
      }
      const what =
        result.kind === "loaded" ? `Not loaded, ${refused} lines` : `Nothing was loaded from ${file}`;
      const wrong = problems.map(({ line, message }) => `line ${line}: ${message}`);
      if (refused > 0) at.err(`${what}:\n${problemLines(wrong, PROBLEMS_SHOWN_MAX, ": --json lists all")}\n`);
    });

type Listed = Awaited<ReturnType<typeof viewExchangeRates>>;

const SOURCE_COLUMNS: readonly Column<Listed["sources"][number]>[] = [
  ["SOURCE", ({ source }) => source],
  ["BASE", ({ base }) => base],
  ["FROM", ({ first }) => first],
  ["TO", ({ last }) => last],
  ["CURRENCIES", ({ currencies }) => currencies],
  ["LOADED AT", ({ loaded_at }) => loaded_at],
];

const RATE_COLUMNS: readonly Column<ExchangeRateView>[] = [
  ["SOURCE", ({ source }) => source],
  ["DATE", ({ date }) => date],
  ["BASE", ({ base }) => base],
  ["CURRENCY", ({ currency }) => currency],
  ["RATE", ({ rate }) => rate],
];

const list: CommandFactory = (at) =>
  action(
    "list",
    "List the sources of exchange rates, and the rates that convert today, or on another day.",
    "boathook rates currencies list --on 2026-11-20",
  )
    .option("--source <name>", "of one source alone")
    .option("--on <date>", "the rates that convert on this day (default: today, UTC)", fieldOption(readDay))
    .option(...JSON_OPTION)
    .action(async ({ source = null, on, json }) => {
      const { database, productCells, clock } = await at.open();
      const day = on ?? utcDay(clock.nowMs());
      const cell = productCells.of("rates");
      const listed = await viewExchangeRates(database, cell, { source, day });
      if (json) return at.out(jsonText(listed));
      at.out(`${table(listed.sources, SOURCE_COLUMNS)}\n${table(listed.rates, RATE_COLUMNS)}`);
    });

const remove: CommandFactory = (at) =>
  action(
    "remove",
    "Remove the exchange rates of a source. Values of indices that were computed with them stay.",
    "boathook rates currencies remove ECB --on 2026-11-20",
  )
    .argument("<source>")
    .option("--on <date>", "only the rates of this day", fieldOption(readDay))
    .option(...JSON_OPTION)
    .action(async (source, { on = null, json }) => {
      const removed = await deleteExchangeRates(await at.open(), source, on);
      if (removed === 0) throw new CommandError("There are no exchange rates of that source and date.", 1);
      printAnswer(at, { source, removed }, `Removed ${removed} exchange rates.`, json);
    });

export const rateCurrencies = group("currencies", "Exchange rates that convert the prices of indices.", [
  load,
  list,
  remove,
]);
