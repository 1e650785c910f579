/** `boathook carriers check`: tries the entries of the carriers file, step by step. */
import { action, CommandError, type CommandFactory } from "../../../cli/command.ts";
import { JSON_OPTION, uuid } from "../../../cli/options.ts";
import { display, facts, table, type Column } from "../../../cli/print.ts";
import { readReference, type Reference } from "../../../freight/references/reference.ts";
import { prepareFolder } from "../../../freight/source-check/keep-answers.ts";
import { startReport, type ReportedKind } from "../../../freight/source-check/report.ts";
import { withCheckPorts } from "../../../freight/source-check/with-ports.ts";
import { readSettingFile } from "../../../runtime/config-file.ts";
import type { Outcome } from "../check/outcome.ts";
import { checkCarrier, type CarrierCheck } from "../check/check-carrier.ts";
import { OCEAN_SETTINGS } from "../settings.ts";
import { NOTHING_KNOWN, type KnownReferences } from "../sources/known-references.ts";
import { billPrefixes, carrierNamed, readCarriers, type Carrier } from "../sources/carriers.ts";
import type { EventView } from "../tracking/container-schema.ts";

export const checkCommand: CommandFactory = (at) =>
  action(
    "check",
    "Try the carriers file: each server's name and certificate, the token, one question, and what the answer becomes. " +
      "Without a SCAC, all carriers; without --reference, about a number that nobody has. The exit status is 1 when " +
      "a step fails. What it asks counts against the carrier's quota.",
    "boathook carriers check",
    "boathook carriers check MAEU --reference MSKU1234565 --record answers",
  )
    .argument("[scac]")
    .option("--reference <text>", "a container, bill of lading or booking that you may track")
    .option("--with <text>", "another reference of it, for a carrier that can only be asked with two")
    .option("--account <id>", "ask with what the file says of an account", uuid)
    .option("--record <folder>", "keep the answers there, without credentials, for boathook replay")
    .option(...JSON_OPTION)
    .action(async (scac, { reference, with: other, account, record, json }) => {
      const carriers = await carriersOf(at.environment);
      const chosen = chosenOf(carriers, scac);
      if (account !== undefined && !chosen.some(({ accounts = {} }) => Object.hasOwn(accounts, account)))
        throw new CommandError(
          "--account: no entry has this id in `accounts`; without the option, you ask as accounts that have none.",
        );
      if (record !== undefined) await prepareFolder(record);
      const asked = {
        reference: reference === undefined ? null : referenceOf(reference, carriers),
        others: other === undefined ? NOTHING_KNOWN : othersOf(other, carriers),
        record: record ?? null,
        account: account ?? null,
      };
      const report = startReport(at, json === true, REPORTED);
      await withCheckPorts(async (ports) => {
        for (const carrier of chosen) report.take(await checkCarrier(ports, carrier, asked));
      });
      report.end();
    });

async function carriersOf(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly Carrier[]> {
  const setting = OCEAN_SETTINGS.carriersFile;
  const file = await readSettingFile(setting, environment, readCarriers);
  if (file === null || file.carriers.length === 0) {
    throw new CommandError(`There is no carrier to check: ${setting.name} names none (docs/carriers.md).`);
  }
  return file.carriers;
}

function chosenOf(carriers: readonly Carrier[], scac: string | undefined): readonly Carrier[] {
  if (scac === undefined) return carriers;
  const carrier = carrierNamed(carriers, scac.toUpperCase());
  if (carrier !== null) return [carrier];
  const known = carriers.map((one) => one.scac).join(", ");
  throw new CommandError(`The carriers file has no carrier of that SCAC; it has ${known}.`);
}

function referenceOf(text: string, carriers: readonly Carrier[]): Reference {
  const read = readReference(text, billPrefixes(carriers));
  if (read.kind === "invalid") throw new CommandError(`--reference: ${read.message}.`);
  return read;
}

/** A document may be of either kind. */
function othersOf(text: string, carriers: readonly Carrier[]): KnownReferences {
  const read = readReference(text, billPrefixes(carriers));
  if (read.kind === "invalid") throw new CommandError(`--with: ${read.message}.`);
  if (read.type === "container_id") return { ...NOTHING_KNOWN, container_id: [read.text] };
  return { ...NOTHING_KNOWN, bill_of_lading: [read.text], booking: [read.text] };
}

const EVENTS: readonly Column<EventView>[] = [
  ["TIME", ({ event_date_time }) => event_date_time],
  ["", ({ classifier }) => classifier],
  ["BOX", ({ equipment_reference }) => equipment_reference],
  ["EVENT", ({ name }) => name],
  ["PLACE", ({ place }) => place?.unlocode ?? place?.name ?? null],
  ["VESSEL", ({ vessel }) => vessel?.name ?? null],
];

function printed({ scac, name, steps, outcome, recorded }: CarrierCheck) {
  const text = outcome === null ? null : outcomeText(outcome);
  return { title: `${scac} ${name}`, steps, outcome: text, recorded };
}

const REPORTED: ReportedKind<CarrierCheck> = { many: "carriers", nameOf: ({ scac }) => scac, printed };

function outcomeText({ shipment, raised, skipped, events }: Outcome): string {
  const reasons = Map.groupBy(skipped, ({ reason }) => reason);
  return [
    facts([
      ["Reference", `${shipment.reference} (${shipment.identifier_type ?? "type not known"})`],
      ["Status", shipment.status],
      ["ETA", shipment.eta],
      ["Boxes", shipment.boxes.length],
      ["Read", `${events} events, ${skipped.length} skipped`],
      ...[...reasons].map(
        ([reason, those]) => ["Skipped", `${reason}: ${those.map(({ index }) => index).join(", ")}`] as const,
      ),
    ]),
    shipment.events.length === 0 ? "" : `\n${table(shipment.events, EVENTS)}`,
    raised.length === 0
      ? "\nNo event would have been raised.\n"
      : `\nWould have been raised:\n${raised.map(({ at, ...event }) => `  ${display(at)}  ${raisedText(event)}\n`).join("")}`,
  ].join("");
}

function raisedText({ type, data }: Pick<Outcome["raised"][number], "type" | "data">): string {
  const { changed_fields: fields } = Object(data) as { changed_fields?: readonly string[] };
  return fields === undefined ? type : `${type} (${fields.join(", ")})`;
}
