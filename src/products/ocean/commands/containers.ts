import { action, CommandError, group, type CommandFactory } from "../../../cli/command.ts";
import { JSON_OPTION, limitOption } from "../../../cli/options.ts";
import { display, facts, jsonText, printAnswer, printRows, table, type Column } from "../../../cli/print.ts";
import { readReference } from "../../../freight/references/reference.ts";
import { notifyWork } from "../../../store/endpoints/invalidations.ts";
import {
  cellOf,
  findShipment,
  notFound,
  OF_ACCOUNT,
  stopCommand,
  WHERE_SEVERAL,
  type Trackable,
} from "../../../freight/tracking/shipment-commands.ts";
import { readRecord } from "../record/record.ts";
import { readFilter } from "../tracking/shipment-filter.ts";
import type { BoxView, EventView, PlaceView, ShipmentDetail } from "../tracking/container-schema.ts";
import { eventView, shipmentDetail, shipmentView } from "../tracking/shipment-view.ts";
import { recheck } from "../tracking/track.ts";
import {
  getShipment,
  listShipments,
  type StoredShipment,
} from "../../../freight/tracking/store/shipments-read.ts";
import { OCEAN_PRODUCT } from "../ocean-product.ts";
import { importCommand } from "./import-milestones.ts";

const CONTAINER: Trackable = {
  noun: "container",
  product: OCEAN_PRODUCT,
  referenceNoun: "reference",
  example: "HRNU4000017",
  read: (typed) => readReference(typed, []),
};

/** As clients see it, and the failure, which is for operators alone. */
function operatorView(shipment: StoredShipment) {
  return { ...shipmentView(shipment), failure: shipment.failure };
}

const COLUMNS: readonly Column<ReturnType<typeof operatorView>>[] = [
  ["ID", ({ id }) => id],
  ["REFERENCE", ({ reference }) => reference],
  ["CARRIER", ({ carrier }) => carrier],
  ["STATUS", ({ status }) => status],
  ["ETA", ({ eta }) => eta],
  ["REFRESHED", ({ refreshed_at }) => refreshed_at],
  ["FAILURE", ({ failure }) => failure],
];

const list: CommandFactory = (at) =>
  action(
    "list",
    "List what an account tracks, newest first, and why the last poll had no answer.",
    "boathook containers list --account 01a1fc98-3684-702d-8add-9c7eb13bfa2f --status arriving",
  )
    .requiredOption(...OF_ACCOUNT)
    .option("--status <status>", "only containers of this status, such as in_transit")
    .option("--carrier <scac>", "only containers of this carrier")
    .option("--reference <text>", "only the container with this reference")
    .option(...limitOption())
    .option(...JSON_OPTION)
    .action(async ({ account: accountId, limit, json, ...asked }) => {
      const read = readFilter(asked, []);
      if (read.kind === "invalid") throw new CommandError(`--${read.name} ${read.message}`);
      const opened = await at.open();
      const found = await listShipments(
        opened.database,
        await cellOf(opened, accountId),
        { product: OCEAN_PRODUCT, accountId },
        read.filter,
        { afterId: null, limit },
      );
      printRows(at, found.map(operatorView), COLUMNS, json);
    });

const show: CommandFactory = (at) =>
  action(
    "show",
    "Show all that is known of a container, by its reference or its id.",
    `boathook containers show ${CONTAINER.example}`,
  )
    .argument("<reference>")
    .option(...WHERE_SEVERAL)
    .option(...JSON_OPTION)
    .action(async (typed, { account, json }) => {
      const opened = await at.open();
      const { id, accountId, cell } = await findShipment(opened, CONTAINER, typed, account);
      const shipment = await getShipment(opened.database, cell, { product: OCEAN_PRODUCT, accountId }, id);
      if (shipment === null) throw notFound(CONTAINER.noun, id);
      const boxes = shipment.record === null ? [] : readRecord(shipment.record).boxes;
      const detail = shipmentDetail(shipment, opened.clock.nowMs());
      const early = boxes.flatMap((box) => box.early ?? []).map(eventView);
      const all = { account_id: accountId, ...detail, failure: shipment.failure, early };
      at.out(json ? jsonText(all) : detailText(all));
    });

const recheckCommand: CommandFactory = (at) =>
  action(
    "recheck",
    "Have a container polled before all others. A node that polls must be running.",
    `boathook containers recheck ${CONTAINER.example}`,
  )
    .argument("<reference>")
    .option(...WHERE_SEVERAL)
    .option(...JSON_OPTION)
    .action(async (typed, { account, json }) => {
      const opened = await at.open();
      const { id, accountId, cell } = await findShipment(opened, CONTAINER, typed, account);
      const ports = { database: opened.database, wake: () => undefined };
      if (!(await recheck(ports, cell, accountId, id))) throw notFound(CONTAINER.noun, id);
      await notifyWork(opened.database, cell);
      printAnswer(at, { id, queued: true }, `${id} is polled next.`, json);
    });

type ContainerDetail = ShipmentDetail & {
  readonly account_id: string;
  readonly failure: string | null;
  /** What the carrier calls actual though it lies in the future. */
  readonly early: readonly EventView[];
};

function detailText(container: ContainerDetail): string {
  const { boxes, events } = container;
  const route = [container.origin, ...container.transshipments, container.discharge];
  return [
    facts([
      ["Container", container.id],
      ["Account", container.account_id],
      ["Reference", `${container.reference} (${container.identifier_type ?? "type not known"})`],
      ["Carrier", container.carrier],
      ["Status", `${container.status}${container.awaiting_next_trip ? ", awaiting the next trip" : ""}`],
      ["Route", route.map((place) => display(placeName(place))).join(" > ")],
      ["Destination", placeName(container.destination)],
      ["Vessel", `${display(container.vessel?.name ?? null)} ${container.voyage ?? ""}`.trim()],
      ["ETA", `${display(container.eta)}${container.eta_is_actual ? " (arrived)" : ""}`],
      ["Last free day", container.free_time?.last_free_day ?? null],
      ["Refreshed", `${display(container.refreshed_at)}, next ${display(container.next_refresh_at)}`],
      ["Last failure", container.failure],
      ...(container.incomplete ? [["Incomplete", "the carrier cut its last answer"] as const] : []),
      ...container.early.map((event) => ["Called actual", earlyText(event)] as const),
    ]),
    boxes.length > 1 ? table(boxes, BOX_COLUMNS) : "",
    events.length > 0 ? table(events, EVENT_COLUMNS) : "",
  ]
    .filter((text) => text !== "")
    .join("\n");
}

const BOX_COLUMNS: readonly Column<BoxView>[] = [
  ["BOX", ({ equipment_reference }) => equipment_reference],
  ["STATUS", ({ status }) => status],
  ["ETA", ({ eta }) => eta],
];

const EVENT_COLUMNS: readonly Column<EventView>[] = [
  ["TIME", ({ event_date_time }) => event_date_time],
  ["", ({ classifier }) => classifier],
  ["BOX", ({ equipment_reference }) => equipment_reference],
  ["EVENT", ({ name }) => name],
  ["PLACE", ({ place }) => placeName(place)],
  ["VESSEL", ({ vessel }) => vessel?.name ?? null],
];

function earlyText({ name, place, event_date_time }: EventView): string {
  return `${name} ${display(placeName(place))} ${event_date_time}, in the future`;
}

function placeName(place: PlaceView | null): string | null {
  return place?.unlocode ?? place?.name ?? null;
}

export const command = group("containers", "Containers are what ocean tracking polls carriers for.", [
  list,
  show,
  importCommand,
  recheckCommand,
  stopCommand(CONTAINER),
]);
