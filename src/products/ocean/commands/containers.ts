import { OCEAN_PRODUCT } from "../ocean-product.ts";
import { readReference } from "../../../freight/references/reference.ts";
import { readFilter } from "../tracking/shipment-filter.ts";
import type { EventView, PlaceView, ShipmentDetail } from "../tracking/container-schema.ts";
import { shipmentDetail, shipmentView } from "../tracking/shipment-view.ts";
import { recheck, stopTracking } from "../tracking/track.ts";
import {
  getShipment,
  listShipments,
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
const EXAMPLE = "HRNU4000017";

const CONTAINER: Trackable = {
  noun: "container",
  product: OCEAN_PRODUCT,
  referenceNoun: "reference",
  read: (typed) => readReference(typed, []),
};

export const command = group("Containers: what ocean tracking keeps an eye on.", {
  list: action({
    about: "Lists what an account tracks, newest first, and why the last look had no answer.",
    arguments: [],
    options: {
      account: { type: "string", value: "id", about: "whose" },
      status: { type: "string", value: "status", about: "only those of this status, such as in_transit" },
      carrier: { type: "string", value: "scac", about: "only those of this carrier" },
      reference: { type: "string", value: "text", about: "only the one with this reference" },
      limit: { type: "string", value: "number", about: `how many at most (default ${LIMIT_DEFAULT})` },
      json: JSON_OPTION,
    },
    examples: ["boathook containers list --account 01a1fc98-3684-702d-8add-9c7eb13bfa2f --status arriving"],
    async run({ options }, at) {
      const { account, status, carrier, reference } = options;
      const accountId = requireAccountId(account);
      const limit = parseWholeNumber("limit", options.limit ?? LIMIT_DEFAULT, 1, LIMIT_MAX);
      const read = readFilter({ status, carrier, reference }, []);
      if (read.kind === "invalid") throw new CommandError(`--${read.name} ${read.message}`);
      const found = await withStore(at, async (opened) => {
        const cell = await cellOf(opened, accountId);
        const page = { afterId: null, limit };
        return listShipments(
          opened.store.database,
          cell,
          { product: OCEAN_PRODUCT, accountId },
          read.filter,
          page,
        );
      });
      at.out(options.json === true ? jsonText(found.map(asJson)) : asTable(found));
      return 0;
    },
  }),
  show: action({
    about: "Shows a container, by its reference or its id, with all that is known of it.",
    arguments: ["reference"],
    options: { account: ACCOUNT_OPTION, json: JSON_OPTION },
    examples: [`boathook containers show ${EXAMPLE}`],
    async run({ options, positionals: [typed = ""] }, at) {
      const { whose, stored, shown } = await withStore(at, async (opened) => {
        const owner = await findOwner(opened, CONTAINER, typed, options.account);
        const { cell, accountId, id } = owner;
        const owned = { product: OCEAN_PRODUCT, accountId };
        const shipment = await getShipment(opened.store.database, cell, owned, id);
        if (shipment === null) throw notFound(CONTAINER.noun, owner.id);
        return { whose: owner, stored: shipment, shown: shipmentDetail(shipment, opened.clock.nowMs()) };
      });
      const all = { account_id: whose.accountId, ...shown, failure: stored.failure };
      at.out(options.json === true ? jsonText(all) : asText(all));
      return 0;
    },
  }),
  recheck: action({
    about: "Has a container looked at before all others; a node that polls must be running.",
    arguments: ["reference"],
    options: { account: ACCOUNT_OPTION, json: JSON_OPTION },
    examples: [`boathook containers recheck ${EXAMPLE}`],
    async run({ options, positionals: [typed = ""] }, at) {
      const id = await withStore(at, async (opened) => {
        const whose = await findOwner(opened, CONTAINER, typed, options.account);
        const ports = { database: opened.store.database, wake: () => undefined };
        if (!(await recheck(ports, whose.cell, whose.accountId, whose.id)))
          throw notFound(CONTAINER.noun, whose.id);
        return whose.id;
      });
      at.out(options.json === true ? jsonText({ id, queued: true }) : `${id} is looked at next.\n`);
      return 0;
    },
  }),
  stop: action({
    about: "Stops tracking a container: its record is gone, what was raised is delivered still.",
    arguments: ["reference"],
    options: { account: ACCOUNT_OPTION, json: JSON_OPTION },
    examples: [`boathook containers stop ${EXAMPLE}`],
    async run({ options, positionals: [typed = ""] }, at) {
      const id = await withStore(at, async (opened) => {
        const whose = await findOwner(opened, CONTAINER, typed, options.account);
        const { database } = opened.store;
        if (!(await stopTracking({ database }, whose.cell, whose.accountId, whose.id))) {
          throw notFound(CONTAINER.noun, whose.id);
        }
        return whose.id;
      });
      at.out(options.json === true ? jsonText({ id, deleted: true }) : `${id} is tracked no longer.\n`);
      return 0;
    },
  }),
});

/** As clients see it, and what exactly went wrong, which they are not told. */
function asJson(shipment: StoredShipment): object {
  return { ...shipmentView(shipment), failure: shipment.failure };
}

function asTable(shipments: readonly StoredShipment[]): string {
  const rows = shipments.map((shipment) => [
    shipment.id,
    shipment.reference,
    shipment.carrier ?? shipment.carrierHint ?? "-",
    shipment.status,
    timeText(shipment.eta),
    timeText(shipment.refreshedAt),
    shipment.failure ?? "-",
  ]);
  return table(["ID", "REFERENCE", "CARRIER", "STATUS", "ETA", "REFRESHED", "FAILURE"], rows);
}

type ContainerDetail = ShipmentDetail & { readonly account_id: string; readonly failure: string | null };

function asText(shown: ContainerDetail): string {
  const facts: readonly (readonly [string, string])[] = [
    ["Container", shown.id],
    ["Account", shown.account_id],
    ["Reference", `${shown.reference} (${shown.identifier_type ?? "type not known"})`],
    ["Carrier", shown.carrier || "-"],
    ["Status", shown.status],
    ["Route", [shown.origin, ...shown.transshipments, shown.discharge].map(placeText).join(" > ")],
    ["Destination", placeText(shown.destination)],
    ["Vessel", [shown.vessel?.name ?? "-", shown.voyage].join(" ").trim()],
    ["ETA", `${time(shown.eta)}${shown.eta_is_actual ? " (arrived)" : ""}`],
    ["Last free day", shown.free_time?.last_free_day ?? "-"],
    ["Refreshed", `${time(shown.refreshed_at)}, next ${time(shown.next_refresh_at)}`],
    ["Last failure", shown.failure ?? "-"],
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = facts.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`);
  const boxes = shown.boxes.map((box) => [box.equipment_reference ?? "-", box.status, time(box.eta)]);
  return [
    ...lines,
    ...(boxes.length > 1 ? ["\n", table(["BOX", "STATUS", "ETA"], boxes)] : []),
    ...(shown.events.length > 0 ? ["\n", table(EVENT_HEADINGS, shown.events.map(eventRow))] : []),
  ].join("");
}

const EVENT_HEADINGS = ["TIME", "", "BOX", "EVENT", "PLACE", "VESSEL"];

function eventRow(event: EventView): readonly string[] {
  return [
    time(event.event_date_time),
    event.classifier,
    event.equipment_reference ?? "-",
    event.name,
    placeText(event.place),
    event.vessel?.name ?? "-",
  ];
}

function placeText(place: PlaceView | null): string {
  return place?.unlocode ?? place?.name ?? "-";
}

function time(iso: string | null): string {
  return timeText(iso === null ? null : new Date(iso));
}
