/** Waybills of all accounts, and why exactly the last poll had no answer. */
import Type from "typebox";

import { formatAwb, awbOf, readAwb } from "../../../freight/references/awb.ts";
import {
  findShipment,
  notTracked,
  OwnerQuery,
  POLL_FAILURE,
  pollFailure,
  ReferencePath,
  stopRoute,
  type Trackable,
  trackedBy,
} from "../../../freight/tracking/shipments-of-all.ts";
import { listShipments, type StoredShipment } from "../../../freight/tracking/store/shipments-read.ts";
import type { Listener } from "../../../http/listener.ts";
import { NextCursor, pageOf, PageQuery } from "../../../http/page.ts";
import type { CommandView } from "../../../model/command-view.ts";
import { nullable, UtcDateTime } from "../../../model/data-types.ts";
import { homeOf, NO_ACCOUNT, OfAccount } from "../../../operator/accounts.ts";
import { refuse } from "../../../operator/errors.ts";
import type { OperatorRoute } from "../../../operator/ports.ts";
import { AIR_PRODUCT } from "../air-product.ts";
import { readWaybillRecord } from "../record/waybill-record.ts";
import { resolveAirline, type Airline } from "../sources/airlines/airlines-file.ts";
import { AIR_STATUSES } from "../status.ts";
import { WaybillSchema, waybillView } from "../tracking/waybill-view.ts";
import { shipmentGet } from "../../../freight/tracking/store/shipments.sql.ts";

/** Those of the airlines file; null: this process has none. */
type ReadAirlines = () => Promise<readonly Airline[] | null>;

const WAYBILL: Trackable = {
  noun: "waybill",
  product: AIR_PRODUCT,
  example: "941-10000200",
  read(typed) {
    const read = readAwb(typed);
    return read.kind === "awb" ? { text: read.awb } : read;
  },
};

export const findWaybills = trackedBy(WAYBILL);

/** The service may be another process, with settings of its own. */
const LacksFile = Type.Optional(
  Type.Boolean({ description: "an airline may be one that another process's airlines file names" }),
);

const polledFields = {
  id: Type.String({ format: "uuid" }),
  number: Type.String({ description: "the air waybill's, as it is written" }),
  refreshed_at: nullable(UtcDateTime),
  ...POLL_FAILURE,
  created_at: UtcDateTime,
};

const Listed = Type.Object(
  {
    ...polledFields,
    awb: Type.String(),
    airline_iata: nullable(Type.String()),
    status: Type.String(),
    eta: nullable(UtcDateTime),
  },
  { title: "OperatorWaybill" },
);

const Detailed = Type.Object(
  {
    ...polledFields,
    account_id: Type.String({ format: "uuid" }),
    ...WaybillSchema.properties,
    next_refresh_at: nullable(UtcDateTime),
    lacks_airlines_file: LacksFile,
  },
  { title: "OperatorWaybillDetail" },
);

const ListQuery = Type.Object(
  {
    ...PageQuery.properties,
    account_id: OfAccount,
    status: Type.Optional(
      Type.Enum(["pending", ...AIR_STATUSES], { description: "only waybills of this status" }),
    ),
    awb: Type.Optional(Type.String({ description: "only the waybill with this number" })),
  },
  { additionalProperties: false },
);

function polledView(shipment: StoredShipment) {
  const { id, reference, refreshedAt, createdAt } = shipment;
  return {
    id,
    number: formatAwb(reference),
    refreshed_at: refreshedAt?.toISOString() ?? null,
    ...pollFailure(shipment),
    created_at: createdAt.toISOString(),
  };
}

const NOTE =
  "{lacks_airlines_file?To see airlines that only the service's BOATHOOK_AIRLINES_FILE names, set it for this command as well.}";

function airlineOf(reference: string, airlines: readonly Airline[]) {
  return resolveAirline(airlines, awbOf(reference).prefix);
}

const LIST: CommandView = {
  ...{ command: "waybills list", rows: "waybills", limit: 50 },
  about: "Newest first, and why the last poll had no answer.",
  note: NOTE,
  example: "--account 01a1fc98-3684-702d-8add-9c7eb13bfa2f --status arrived",
  columns: {
    ID: "id",
    AWB: "number",
    AIRLINE: "airline_iata",
    STATUS: "status",
    ETA: "eta",
    REFRESHED: "refreshed_at",
    FAILURE: "failure_text",
  },
};

/** `GET /v1/waybills`: an account's, newest first */
function listRoute(readAirlines: ReadAirlines): OperatorRoute {
  const response = {
    200: Type.Object({
      waybills: Type.Array(Listed),
      next_cursor: NextCursor,
      lacks_airlines_file: LacksFile,
    }),
  };
  const schema = {
    summary: "List the waybills that an account tracks",
    querystring: ListQuery,
    response,
    "x-cli": LIST,
  };
  return (app: Listener, ports) => {
    app.get("/v1/waybills", { schema }, async (request, reply) => {
      const { account_id: account, status, awb } = request.query;
      const read = awb === undefined ? null : readAwb(awb);
      if (read?.kind === "invalid")
        return refuse(reply, { code: "INVALID_REQUEST", message: `query.awb is wrong: ${read.message}` });
      const home = await homeOf(ports, account);
      if (home === null) return refuse(reply, NO_ACCOUNT);
      const owner = { product: AIR_PRODUCT, accountId: home.accountId };
      const filter = { reference: read?.awb ?? null, carrier: null, statuses: status ? [status] : null };
      const { items, ...next } = await pageOf(request.query, (page) =>
        listShipments(ports.database, home.cell, owner, filter, page),
      );
      const airlines = await readAirlines();
      const waybills = items.map((one) => ({
        ...polledView(one),
        awb: one.reference,
        airline_iata: airlineOf(one.reference, airlines ?? [])?.iata ?? null,
        status: one.status,
        eta: one.eta?.toISOString() ?? null,
      }));
      const isLacking = airlines === null && waybills.some((one) => one.airline_iata === null);
      return {
        waybills,
        ...next,
        ...(isLacking && { lacks_airlines_file: true }),
      };
    });
  };
}

const SHOW: CommandView = {
  command: "waybills show",
  example: WAYBILL.example,
  note: NOTE,
  sections: [
    {
      facts: {
        Waybill: "id",
        Account: "account_id",
        Number: "number",
        Airline: "{airline_iata}{airline_name? {airline_name}}",
        Status: "status",
        Route: "{origin} > {destination}",
        Cargo: "{pieces} pieces, {weight_kg} kg",
        Flight: "flight_number",
        ETA: "{eta}{eta_is_actual? (arrived)}",
        Refreshed: "{refreshed_at}, next {next_refresh_at}",
        "Last failure": "failure_text",
      },
    },
    { of: "events", columns: { TIME: "at", CODE: "code", EVENT: "name", STATION: "station" } },
  ],
};

/** `GET /v1/waybills/{reference}` */
function showRoute(readAirlines: ReadAirlines): OperatorRoute {
  const schema = {
    summary: "Show all that is known of a waybill",
    params: ReferencePath,
    querystring: OwnerQuery,
    response: { 200: Detailed },
    "x-cli": SHOW,
  };
  return (app: Listener, ports) => {
    app.get("/v1/waybills/:reference", { schema }, async (request, reply) => {
      const found = await findShipment(ports, WAYBILL, request.params, request.query);
      if ("code" in found) return refuse(reply, found);
      const { id, accountId, cell } = found;
      const shipment = await shipmentGet(ports.database, cell, { product: AIR_PRODUCT, accountId, id });
      if (shipment === null) return refuse(reply, notTracked(WAYBILL, id));
      const { reference, record, nextPollAt } = shipment;
      const known = record === null ? null : readWaybillRecord(record);
      const airlines = await readAirlines();
      const airline = airlineOf(reference, airlines ?? []);
      return {
        ...polledView(shipment),
        account_id: accountId,
        ...waybillView(reference, airline, known),
        next_refresh_at: nextPollAt?.toISOString() ?? null,
        ...(airlines === null && airline === null && { lacks_airlines_file: true }),
      };
    });
  };
}

export function waybillOperatorRoutes(readAirlines: ReadAirlines): readonly OperatorRoute[] {
  return [listRoute(readAirlines), showRoute(readAirlines), stopRoute(WAYBILL)];
}
