import Type from "typebox";

import { DELIVERY_RECORD, operatorAttempt, withParking } from "../http/webhooks/delivery.ts";
import { LISTED_ENDPOINT } from "../http/webhooks/endpoint.ts";
import type { Listener } from "../http/listener.ts";
import type { Refusal } from "../http/refusal.ts";
import { resource, type Fields } from "../http/resource.ts";
import type { CommandView } from "../model/command-view.ts";
import { nullable, UtcDateTime } from "../model/data-types.ts";
import type { AttemptRecord, DeliveryRecord } from "../model/delivery.ts";
import type { Endpoint } from "../model/endpoint.ts";
import { readUuid } from "../model/uuid.ts";
import { deliveryFind } from "../store/deliveries/deliveries.sql.ts";
import { listAttempts } from "../store/deliveries/log-read.ts";
import { updateEndpoint } from "../store/endpoints/endpoints.ts";
import { endpointFind } from "../store/endpoints/endpoints.sql.ts";
import { AccountName, withAccountNames, type Named } from "./account-names.ts";
import { refuse } from "./errors.ts";
import { findInCells } from "./find-in-cells.ts";
import type { OperatorPorts } from "./ports.ts";
import { goneOrNever } from "./pruned.ts";

export const IdPath = Type.Object({ id: Type.String() });
export const NO_ENDPOINT: Refusal = { code: "NOT_FOUND", message: "there is no endpoint of that id" };

const Id = Type.String({ format: "uuid" });

const { id: ENDPOINT_ID, ...ENDPOINT } = LISTED_ENDPOINT;

/** As its owner sees it, and whose it is. */
export const OPERATOR_ENDPOINT = {
  id: ENDPOINT_ID,
  account_id: [Id, ({ accountId }) => accountId],
  product: [Type.String(), ({ product }) => product],
  ...ENDPOINT,
} satisfies Fields<Endpoint>;

export const ENDPOINT_COLUMNS = {
  ACCOUNT: "account_id",
  ID: "id",
  PRODUCT: "product",
  ACTIVE: "active",
  FAILURES: "failure_count",
  "OFF SINCE?": "disabled_at",
  "WHY?": "disabled_reason",
  "MISSED?": "{missed_events?{missed_events}}",
  "LAST DELIVERY": "last_delivery_at",
  EVENTS: "event_types|'all'",
  URL: "url",
};

export const operatorEndpoint = resource("OperatorEndpoint", OPERATOR_ENDPOINT);

type ReadDelivery = DeliveryRecord & {
  readonly endpointId: string;
  readonly eventId: string;
  readonly dueAt: Date | null;
};

const { id: DELIVERY_ID, ...RECORD } = DELIVERY_RECORD;

/** As the endpoint's owner sees it (spec 2.2) but with the whole error, where it goes, and when its next attempt is due. */
const DELIVERY = {
  id: DELIVERY_ID,
  endpoint_id: [Id, ({ endpointId }) => endpointId],
  event_id: [Id, ({ eventId }) => eventId],
  ...RECORD,
  last_error: [nullable(Type.String()), ({ lastError }) => lastError],
  next_attempt_at: [nullable(UtcDateTime), ({ dueAt }): string | null => dueAt?.toISOString() ?? null],
} satisfies Fields<ReadDelivery>;

const WHERE = {
  url: [nullable(Type.String(), { description: "null: the endpoint has been removed" }), ({ url }) => url],
} satisfies Fields<ReadDelivery & { readonly url: string | null }>;

type PlacedDelivery = ReadDelivery &
  Named & {
    readonly accountId: string;
    readonly product: string;
    readonly url: string | null;
  };

export const OPERATOR_DELIVERY = {
  ...DELIVERY,
  account_id: [Id, ({ accountId }) => accountId],
  account_name: [AccountName, ({ accountName }) => accountName],
  product: [Type.String(), ({ product }) => product],
  ...WHERE,
} satisfies Fields<PlacedDelivery>;

const detailedDelivery = resource("OperatorDeliveryDetail", {
  ...OPERATOR_DELIVERY,
  attempts: [Type.Array(operatorAttempt.schema), ({ attempts }) => attempts.map(operatorAttempt.view)],
} satisfies Fields<PlacedDelivery & { readonly attempts: readonly AttemptRecord[] }>);

/** `POST /v1/endpoints/{id}/enable`: as its owner's PATCH with `active` (spec 3.2: resumed) */
export function enableRoute(app: Listener, ports: OperatorPorts): void {
  const { database, clock, engine } = ports;
  const view = {
    command: "endpoints enable",
    about: "As its owner could: what is parked goes on, and nothing that it missed is sent.",
    columns: ENDPOINT_COLUMNS,
  };
  const schema = {
    summary: "Enable an endpoint",
    params: IdPath,
    response: { 200: operatorEndpoint.schema },
    "x-cli": view,
  };
  app.post("/v1/endpoints/:id/enable", { schema }, async (request, reply) => {
    const id = readUuid(request.params.id);
    const read = id === null ? null : await findInCells(ports, (cell) => endpointFind(database, cell, id));
    if (read === null) return refuse(reply, NO_ENDPOINT);
    const { cell, found } = read;
    const at = new Date(clock.nowMs());
    const enabled = await updateEndpoint(database, cell, found, found.id, { active: true }, at);
    if (enabled === null) return refuse(reply, NO_ENDPOINT);
    await engine.endpointChanged(cell, found.accountId, found.id);
    return operatorEndpoint.view(enabled);
  });
}

const SHOW: CommandView = {
  command: "deliveries show",
  about: "Where it goes, and what became of it. With a key, also what is sent.",
  sections: [
    {},
    {
      of: "attempts",
      columns: {
        ATTEMPT: "number",
        ENDED: "ended_at",
        MS: "duration_ms",
        ADDRESS: "address",
        STATUS: "status_code",
        BYTES: "answer_bytes",
        ERROR: "error",
      },
    },
    { of: "headers" },
    { of: "body" },
  ],
};

/** `GET /v1/deliveries/{id}` */
export function readDeliveryRoute(app: Listener, ports: OperatorPorts): void {
  const { database, parkedMs } = ports;
  const schema = {
    summary: "Read a delivery with its attempts",
    params: IdPath,
    response: { 200: detailedDelivery.schema },
    "x-cli": SHOW,
  };
  app.get("/v1/deliveries/:id", { schema }, async (request, reply) => {
    const id = readUuid(request.params.id);
    const read = id === null ? null : await findInCells(ports, (cell) => deliveryFind(database, cell, id));
    if (read === null) return refuse(reply, goneOrNever("delivery", id, ports));
    const attempts = await listAttempts(database, read.cell, read.found);
    const [found] = await withAccountNames(ports, [withParking(read.found, read.found.disabledAt, parkedMs)]);
    return detailedDelivery.view({ ...found!, attempts });
  });
}
