import { InvalidArgumentError } from "commander";

import { action, group, type CommandFactory } from "../../../cli/command.ts";
import type { CommandContext } from "../../../cli/context.ts";
import { JSON_OPTION, limitOption, oneOf } from "../../../cli/options.ts";
import { display, facts, jsonText, printRows, table, type Column } from "../../../cli/print.ts";
import { awbOf, formatAwb, readAwb } from "../../../freight/references/awb.ts";
import {
  cellOf,
  findShipment,
  notFound,
  OF_ACCOUNT,
  stopCommand,
  WHERE_SEVERAL,
  type Trackable,
} from "../../../freight/tracking/shipment-commands.ts";
import {
  getShipment,
  listShipments,
  type DetailedShipment,
  type StoredShipment,
} from "../../../freight/tracking/store/shipments-read.ts";
import { readSettingFile } from "../../../runtime/config-file.ts";
import { AIR_SETTINGS } from "../settings.ts";
import { AIR_PRODUCT } from "../air-product.ts";
import { readWaybillRecord } from "../record/waybill-record.ts";
import { readAirlines, resolveAirline, type Airline } from "../sources/airlines/airlines-file.ts";
import { AIR_STATUSES } from "../status.ts";
import { waybillView, type WaybillEventView } from "../tracking/waybill-view.ts";

const WAYBILL: Trackable = {
  noun: "waybill",
  product: AIR_PRODUCT,
  referenceNoun: "number",
  example: "941-10000200",
  read(typed) {
    const read = readAwb(typed);
    return read.kind === "awb" ? { text: read.awb } : read;
  },
};

/** The failure is for operators alone. */
function operatorView(
  { id, reference, status, eta, refreshedAt, failure, createdAt }: StoredShipment,
  airlines: readonly Airline[],
) {
  return {
    id,
    awb: reference,
    airline_iata: airlineOf(reference, airlines)?.iata ?? null,
    status,
    eta: eta?.toISOString() ?? null,
    refreshed_at: refreshedAt?.toISOString() ?? null,
    failure,
    created_at: createdAt.toISOString(),
  };
}

const COLUMNS: readonly Column<ReturnType<typeof operatorView>>[] = [
  ["ID", ({ id }) => id],
  ["AWB", ({ awb }) => formatAwb(awb)],
  ["AIRLINE", ({ airline_iata }) => airline_iata],
  ["STATUS", ({ status }) => status],
  ["ETA", ({ eta }) => eta],
  ["REFRESHED", ({ refreshed_at }) => refreshed_at],
  ["FAILURE", ({ failure }) => failure],
];

const list: CommandFactory = (at) =>
  action(
    "list",
    "List what an account tracks, newest first, and why the last poll had no answer.",
    "boathook waybills list --account 01a1fc98-3684-702d-8add-9c7eb13bfa2f --status arrived",
  )
    .requiredOption(...OF_ACCOUNT)
    .option(
      "--status <status>",
      "only waybills of this status, such as in_transit",
      oneOf(["pending", ...AIR_STATUSES]),
    )
    .option("--awb <number>", "only the waybill with this number", awbNumber)
    .option(...limitOption())
    .option(...JSON_OPTION)
    .action(async ({ account: accountId, status, awb, limit, json }) => {
      const opened = await at.open();
      const found = await listShipments(
        opened.database,
        await cellOf(opened, accountId),
        { product: AIR_PRODUCT, accountId },
        { reference: awb ?? null, carrier: null, statuses: status === undefined ? null : [status] },
        { afterId: null, limit },
      );
      const airlines = await configuredAirlines(at);
      const rows = found.map((shipment) => operatorView(shipment, airlines));
      printRows(at, rows, COLUMNS, json);
      if (rows.some(({ airline_iata }) => airline_iata === null)) hintAirlinesFile(at);
    });

const show: CommandFactory = (at) =>
  action(
    "show",
    "Show all that is known of a waybill, by its number or its id.",
    `boathook waybills show ${WAYBILL.example}`,
  )
    .argument("<number>")
    .option(...WHERE_SEVERAL)
    .option(...JSON_OPTION)
    .action(async (typed, { account, json }) => {
      const opened = await at.open();
      const { id, accountId, cell } = await findShipment(opened, WAYBILL, typed, account);
      const shipment = await getShipment(opened.database, cell, { product: AIR_PRODUCT, accountId }, id);
      if (shipment === null) throw notFound(WAYBILL.noun, id);
      const detail = waybillDetail(shipment, accountId, await configuredAirlines(at));
      at.out(json ? jsonText(detail) : detailText(detail));
      if (detail.airline_iata === null) hintAirlinesFile(at);
    });

function awbNumber(typed: string): string {
  const read = readAwb(typed);
  if (read.kind === "awb") return read.awb;
  throw new InvalidArgumentError(`${read.message}.`);
}

async function configuredAirlines({ environment }: CommandContext): Promise<readonly Airline[]> {
  return (await readSettingFile(AIR_SETTINGS.airlinesFile, environment, readAirlines))?.entries ?? [];
}

function airlineOf(reference: string, airlines: readonly Airline[]) {
  return resolveAirline(airlines, awbOf(reference).prefix);
}

/** The service is another process, with settings of its own. */
function hintAirlinesFile(at: CommandContext): void {
  if ((at.environment["BOATHOOK_AIRLINES_FILE"] ?? "") !== "") return;
  at.err(
    "To see airlines that only the service's BOATHOOK_AIRLINES_FILE names, set it for this command as well.\n",
  );
}

function waybillDetail(shipment: DetailedShipment, accountId: string, airlines: readonly Airline[]) {
  const { reference, record, nextPollAt } = shipment;
  const { id, refreshed_at, failure, created_at } = operatorView(shipment, airlines);
  return {
    id,
    account_id: accountId,
    ...waybillView(
      reference,
      airlineOf(reference, airlines),
      record === null ? null : readWaybillRecord(record),
    ),
    refreshed_at,
    next_refresh_at: nextPollAt?.toISOString() ?? null,
    failure,
    created_at,
  };
}

function detailText(waybill: ReturnType<typeof waybillDetail>): string {
  const { events } = waybill;
  const all = facts([
    ["Waybill", waybill.id],
    ["Account", waybill.account_id],
    ["Number", formatAwb(waybill.awb)],
    ["Airline", `${display(waybill.airline_iata)} ${waybill.airline_name ?? ""}`.trim()],
    ["Status", waybill.status],
    ["Route", `${display(waybill.origin)} > ${display(waybill.destination)}`],
    ["Cargo", `${display(waybill.pieces)} pieces, ${display(waybill.weight_kg)} kg`],
    ["Flight", waybill.flight_number],
    ["ETA", `${display(waybill.eta)}${waybill.eta_is_actual ? " (arrived)" : ""}`],
    ["Refreshed", `${display(waybill.refreshed_at)}, next ${display(waybill.next_refresh_at)}`],
    ["Last failure", waybill.failure],
  ]);
  return events.length > 0 ? `${all}\n${table(events, EVENT_COLUMNS)}` : all;
}

const EVENT_COLUMNS: readonly Column<WaybillEventView>[] = [
  ["TIME", ({ at }) => at],
  ["CODE", ({ code }) => code],
  ["EVENT", ({ name }) => name],
  ["STATION", ({ station }) => station],
];

export const command = group("waybills", "Waybills are what air cargo tracking polls airlines for.", [
  list,
  show,
  stopCommand(WAYBILL),
]);
