import { AIR_PRODUCT } from "../air-product.ts";
import { resolveAirline, readAirlines, type Airline } from "../sources/airlines/airlines-file.ts";
import { awbOf, formatAwb, readAwb } from "../../../freight/references/awb.ts";
import { AIR_SETTINGS } from "../settings.ts";
import { AIR_STATUSES } from "../status.ts";
import { readWaybillRecord } from "../record/waybill-record.ts";
import { waybillView, type WaybillEventView, type WaybillView } from "../tracking/waybill-view.ts";
import type { ProcessContext } from "../../../runtime/process-context.ts";
import { readNamedFile } from "../../../runtime/config-file.ts";
import { deleteShipment } from "../../../freight/tracking/store/shipments.ts";
import {
  getShipment,
  listShipments,
  type DetailedShipment,
  type ShipmentFilter,
  type StoredShipment,
} from "../../../freight/tracking/store/shipments-read.ts";
import { action, CommandError, group } from "../../../cli/command.ts";
import { JSON_OPTION, parseWholeNumber } from "../../../cli/options.ts";
import { jsonText, table, timeText } from "../../../cli/table.ts";
import {
  ACCOUNT_OPTION,
  requireAccountId,
  cellOf,
  findOwner,
  notFound,
  type Trackable,
} from "../../../freight/tracking/shipment-owner.ts";
import { withStore } from "../../../service/commands/with-store.ts";

const LIMIT_DEFAULT = "50";
const LIMIT_MAX = 1_000;
const EXAMPLE = "941-10000200";
const WAYBILL: Trackable = {
  noun: "waybill",
  product: AIR_PRODUCT,
  referenceNoun: "number",
  read(typed) {
    const read = readAwb(typed);
    return read.kind === "awb" ? { text: read.awb } : read;
  },
};
const STATUSES: readonly string[] = ["pending", ...AIR_STATUSES];

export const command = group("Waybills: what air cargo tracking keeps an eye on.", {
  list: action({
    about: "Lists what an account tracks, newest first, and why the last look had no answer.",
    arguments: [],
    options: {
      account: { type: "string", value: "id", about: "whose" },
      status: { type: "string", value: "status", about: "only those of this status, such as in_transit" },
      awb: { type: "string", value: "number", about: "only the one with this number" },
      limit: { type: "string", value: "number", about: `how many at most (default ${LIMIT_DEFAULT})` },
      json: JSON_OPTION,
    },
    examples: ["boathook waybills list --account 01a1fc98-3684-702d-8add-9c7eb13bfa2f --status arrived"],
    async run({ options }, at) {
      const accountId = requireAccountId(options.account);
      const limit = parseWholeNumber("limit", options.limit ?? LIMIT_DEFAULT, 1, LIMIT_MAX);
      const filter = readFilterOptions(options.status, options.awb);
      const found = await withStore(at, async (opened) => {
        const cell = await cellOf(opened, accountId);
        const owned = { product: AIR_PRODUCT, accountId };
        const page = { afterId: null, limit };
        const listed = await listShipments(opened.store.database, cell, owned, filter, page);
        const airlines = await configuredAirlines(at);
        return listed.map((shipment) => rowOf(shipment, airlines));
      });
      at.out(options.json === true ? jsonText(found) : asTable(found));
      if (found.some(({ airline_iata: iata }) => iata === null)) hintAirlinesFile(at);
      return 0;
    },
  }),
  show: action({
    about: "Shows a waybill, by its number or its id, with all that is known of it.",
    arguments: ["number"],
    options: { account: ACCOUNT_OPTION, json: JSON_OPTION },
    examples: [`boathook waybills show ${EXAMPLE}`],
    async run({ options, positionals: [typed = ""] }, at) {
      const shown = await withStore(at, async (opened) => {
        const { id, accountId, cell } = await findOwner(opened, WAYBILL, typed, options.account);
        const owned = { product: AIR_PRODUCT, accountId };
        const shipment = await getShipment(opened.store.database, cell, owned, id);
        if (shipment === null) throw notFound(WAYBILL.noun, id);
        return waybillDetail(shipment, accountId, await configuredAirlines(at));
      });
      at.out(options.json === true ? jsonText(shown) : asText(shown));
      if (shown.airline_iata === null) hintAirlinesFile(at);
      return 0;
    },
  }),
  stop: action({
    about: "Stops tracking a waybill: its record is gone, what was raised is delivered still.",
    arguments: ["number"],
    options: { account: ACCOUNT_OPTION, json: JSON_OPTION },
    examples: [`boathook waybills stop ${EXAMPLE}`],
    async run({ options, positionals: [typed = ""] }, at) {
      const stopped = await withStore(at, async (opened) => {
        const { id, accountId, cell } = await findOwner(opened, WAYBILL, typed, options.account);
        const owned = { product: AIR_PRODUCT, accountId };
        if (!(await deleteShipment(opened.store.database, cell, owned, id))) throw notFound(WAYBILL.noun, id);
        return id;
      });
      at.out(
        options.json === true
          ? jsonText({ id: stopped, deleted: true })
          : `${stopped} is tracked no longer.\n`,
      );
      return 0;
    },
  }),
});

function readFilterOptions(status: string | undefined, awb: string | undefined): ShipmentFilter {
  if (status !== undefined && !STATUSES.includes(status)) {
    throw new CommandError(`--status must be one of ${STATUSES.join(", ")}`);
  }
  const read = awb === undefined ? null : readAwb(awb);
  if (read?.kind === "invalid") throw new CommandError(`--awb: ${read.message}`);
  return { reference: read?.awb ?? null, carrier: null, statuses: status === undefined ? null : [status] };
}

/** Those that the settings name, since they go before the table of all airlines. */
async function configuredAirlines({ environment }: ProcessContext): Promise<readonly Airline[]> {
  return (await readNamedFile(AIR_SETTINGS.airlinesFile, environment, readAirlines))?.airlines ?? [];
}

/** The service may know more: it is another process, with settings of its own. */
function hintAirlinesFile(at: ProcessContext): void {
  if ((at.environment["BOATHOOK_AIRLINES_FILE"] ?? "") !== "") return;
  at.err(
    "Airlines that only the service's BOATHOOK_AIRLINES_FILE names are shown when this command has it too.\n",
  );
}

type Row = {
  readonly id: string;
  readonly awb: string;
  readonly airline_iata: string | null;
  readonly status: string;
  readonly eta: string | null;
  readonly refreshed_at: string | null;
  readonly failure: string | null;
  readonly created_at: string;
};

/** What exactly went wrong is for operators: clients are not told. */
function rowOf(shipment: StoredShipment, airlines: readonly Airline[]): Row {
  const { id, reference, status, eta, refreshedAt, failure, createdAt } = shipment;
  return {
    id,
    awb: reference,
    airline_iata: resolveAirline(airlines, awbOf(reference).prefix)?.iata ?? null,
    status,
    eta: eta?.toISOString() ?? null,
    refreshed_at: refreshedAt?.toISOString() ?? null,
    failure,
    created_at: createdAt.toISOString(),
  };
}

function asTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.id,
    formatAwb(row.awb),
    row.airline_iata ?? "-",
    row.status,
    time(row.eta),
    time(row.refreshed_at),
    row.failure ?? "-",
  ]);
  return table(["ID", "AWB", "AIRLINE", "STATUS", "ETA", "REFRESHED", "FAILURE"], cells);
}

type WaybillDetail = WaybillView &
  Pick<Row, "id" | "refreshed_at" | "failure" | "created_at"> & {
    readonly account_id: string;
    readonly next_refresh_at: string | null;
  };

function waybillDetail(
  shipment: DetailedShipment,
  accountId: string,
  airlines: readonly Airline[],
): WaybillDetail {
  const { reference, record, nextPollAt } = shipment;
  const { id, refreshed_at, failure, created_at } = rowOf(shipment, airlines);
  const airline = resolveAirline(airlines, awbOf(reference).prefix);
  return {
    id,
    account_id: accountId,
    ...waybillView(reference, airline, record === null ? null : readWaybillRecord(record)),
    refreshed_at,
    next_refresh_at: nextPollAt?.toISOString() ?? null,
    failure,
    created_at,
  };
}

function asText(shown: WaybillDetail): string {
  const facts: readonly (readonly [string, string])[] = [
    ["Waybill", shown.id],
    ["Account", shown.account_id],
    ["Number", formatAwb(shown.awb)],
    ["Airline", [shown.airline_iata ?? "-", shown.airline_name].join(" ").trim()],
    ["Status", shown.status],
    ["Route", `${shown.origin ?? "-"} > ${shown.destination ?? "-"}`],
    ["Cargo", `${shown.pieces ?? "-"} pieces, ${shown.weight_kg ?? "-"} kg`],
    ["Flight", shown.flight_number ?? "-"],
    ["ETA", `${time(shown.eta)}${shown.eta_is_actual ? " (arrived)" : ""}`],
    ["Refreshed", `${time(shown.refreshed_at)}, next ${time(shown.next_refresh_at)}`],
    ["Last failure", shown.failure ?? "-"],
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = facts.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`);
  const events = shown.events.map(eventRow);
  return [...lines, ...(events.length > 0 ? ["\n", table(EVENT_HEADINGS, events)] : [])].join("");
}

const EVENT_HEADINGS = ["TIME", "CODE", "EVENT", "STATION"];

function eventRow({ at, code, name, station }: WaybillEventView): readonly string[] {
  return [time(at), code, name, station ?? "-"];
}

function time(iso: string | null): string {
  return timeText(iso === null ? null : new Date(iso));
}
