/** `boathook airlines check`: tries the entries of the airlines file, step by step. */
import { action, CommandError, type CommandFactory } from "../../../cli/command.ts";
import type { CommandContext } from "../../../cli/context.ts";
import { JSON_OPTION } from "../../../cli/options.ts";
import { display, facts, table, type Column } from "../../../cli/print.ts";
import { formatAwb, readAwb } from "../../../freight/references/awb.ts";
import { prepareFolder, readKept } from "../../../freight/source-check/keep-answers.ts";
import { replaying } from "../../../freight/source-check/kept-exchanges.ts";
import { startReport, type ReportedKind } from "../../../freight/source-check/report.ts";
import { withCheckPorts } from "../../../freight/source-check/with-ports.ts";
import { readSettingFile } from "../../../runtime/config-file.ts";
import { checkAirline, type AirlineCheck, type Asked } from "../check/check-airline.ts";
import type { Outcome } from "../check/outcome.ts";
import { readRecording } from "../check/recording.ts";
import { AIR_SETTINGS } from "../settings.ts";
import { configuredAirline, readAirlines, type Airline } from "../sources/airlines/airlines-file.ts";
import type { WaybillEventView } from "../tracking/waybill-view.ts";

export const checkCommand: CommandFactory = (at) =>
  action(
    "check",
    "Try the airlines file: each server's name and certificate, the token, one question of each source, and what the " +
      "answer becomes. Without an airline, all; without --awb, about a number that nobody has. The exit status is 1 " +
      "when a step fails. What it asks counts against the airline's quota.",
    "boathook airlines check",
    "boathook airlines check LH --awb 020-12345675 --record answers",
    "boathook airlines check --replay answers/LH-02012345675.json",
  )
    .argument("[airline]", "its IATA code")
    .option("--awb <number>", "a waybill that you may track")
    .option("--record <folder>", "keep the answers there, without credentials")
    .option("--replay <file>", "take kept answers instead of asking; the airlines file is not needed")
    .option(...JSON_OPTION)
    .action(async (iata, { awb, record, replay, json }) => {
      const report = startReport(at, json === true, REPORTED);
      if (replay === undefined) {
        const airlines = await airlinesOf(at.environment);
        const asked = { awb: awb === undefined ? null : awbOf(awb), record: record ?? null };
        const chosen = chosenOf(airlines, iata, asked);
        if (record !== undefined) await prepareFolder(record);
        await withCheckPorts(async (ports) => {
          for (const airline of chosen) report.take(await checkAirline(ports, airline, asked));
        });
      } else {
        if ([iata, awb, record].some((given) => given !== undefined)) {
          throw new CommandError(
            "--replay stands alone: the file says which airline and waybill it is about.",
          );
        }
        const kept = await readKept(replay, readRecording);
        const asked = { awb: kept.awb, record: null, isReplay: true };
        await withCheckPorts(async (ports) =>
          report.take(await checkAirline(replaying(ports, kept), kept.airline, asked)),
        );
      }
      report.end();
    });

async function airlinesOf(environment: CommandContext["environment"]): Promise<readonly Airline[]> {
  const setting = AIR_SETTINGS.airlinesFile;
  const file = await readSettingFile(setting, environment, readAirlines);
  if (file === null || file.airlines.length === 0) {
    throw new CommandError(`There is no airline to check: ${setting.name} names none (docs/airlines.md).`);
  }
  return file.airlines;
}

/** By its code, else by the waybill's prefix. An airline may have several entries. */
function chosenOf(
  airlines: readonly Airline[],
  iata: string | undefined,
  { awb }: Asked,
): readonly Airline[] {
  if (iata !== undefined) {
    const named = airlines.filter((airline) => airline.iata === iata.toUpperCase());
    if (named.length > 0) return named;
    const known = airlines.map((one) => one.iata).join(", ");
    throw new CommandError(`The airlines file has no airline of that code; it has ${known}.`);
  }
  if (awb === null) return airlines;
  const airline = configuredAirline(airlines, awb.slice(0, 3));
  if (airline !== null) return [airline];
  throw new CommandError(`The airlines file has no airline with the prefix ${awb.slice(0, 3)}.`);
}

function awbOf(text: string): string {
  const read = readAwb(text);
  if (read.kind === "invalid") throw new CommandError(`--awb: ${read.message}.`);
  return read.awb;
}

const EVENTS: readonly Column<WaybillEventView>[] = [
  ["TIME", ({ at }) => at],
  ["CODE", ({ code }) => code],
  ["EVENT", ({ name }) => name],
  ["STATION", ({ station }) => station],
];

function printed({ iata, name, awb, steps, outcome, recorded }: AirlineCheck) {
  const text = outcome === null ? null : outcomeText(outcome);
  return { title: `${iata} ${name}, ${formatAwb(awb)}`, steps, outcome: text, recorded };
}

const REPORTED: ReportedKind<AirlineCheck> = { many: "airlines", nameOf: ({ iata }) => iata, printed };

function outcomeText({ waybill, raised, skipped, events, planned }: Outcome): string {
  return [
    facts([
      ["Waybill", formatAwb(waybill.awb)],
      ["Status", waybill.status],
      ["Route", `${display(waybill.origin)} > ${display(waybill.destination)}`],
      ["Cargo", `${display(waybill.pieces)} pieces, ${display(waybill.weight_kg)} kg`],
      ["Flight", waybill.flight_number],
      ["ETA", waybill.eta],
      ["Read", `${events} events, ${planned} of them announced, ${skipped.length} problems`],
      ...skipped.map((reason) => ["Skipped", reason] as const),
    ]),
    waybill.events.length === 0 ? "" : `\n${table(waybill.events, EVENTS)}`,
    raised.length === 0
      ? "\nNo event would have been raised.\n"
      : `\nWould have been raised:\n${raised.map(({ at, type }) => `  ${at}  ${type}\n`).join("")}`,
  ].join("");
}
