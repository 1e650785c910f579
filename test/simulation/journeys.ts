/** What must hold of the events of one journey: a container's, a waybill's, or those of a vessel's calls. */
import { DAY_MS } from "../../packages/simulator/src/world/durations.ts";
import { START_MS } from "./beginning.ts";

/** An event that the service raised by itself, of what a source says. */
export type RaisedBySource = {
  readonly id: string;
  readonly account: number;
  readonly product: string;
  readonly type: string;
  /** JSON, as it was raised. */
  readonly data: string;
  readonly raisedMs: number;
};

/** Spec 6.4, in the order of a journey. */
const WAYBILL_TYPES = ["awb_accepted", "awb_in_transit", "awb_arrived", "awb_available", "awb_delivered"];

/** What the service showed of containers, by id, and of waybills: their statuses. */
export type ShownStatuses = { readonly doneMs: number; readonly statuses: ReadonlyMap<string, string> };

/** The first status that was shown, where it was before all that was raised, and the last, where it came twice. */
function endsOf(name: string, raised: readonly RaisedBySource[], shown: readonly ShownStatuses[]) {
  const known = shown.flatMap(({ doneMs, statuses }) => {
    const status = statuses.get(name) ?? "pending";
    return status === "pending" ? [] : [{ doneMs, status }];
  });
  const isFirst = raised.every(({ raisedMs }) => raisedMs > (known[0]?.doneMs ?? 0));
  const [before, last] = known.slice(-2);
  return [
    isFirst ? (known[0]?.status ?? null) : null,
    before?.status === last?.status ? (last?.status ?? null) : null,
  ] as const;
}

/** What is wrong with what was raised for one waybill, in the order of raising: each status once, and none backwards. */
export function wrongOfWaybill(
  awb: string,
  raised: readonly RaisedBySource[],
  shown: readonly ShownStatuses[],
): readonly string[] {
  const wrong = raised.flatMap(({ id, type }, at) => {
    const before = raised[at - 1]?.type ?? "";
    const isOn = WAYBILL_TYPES.indexOf(type) > WAYBILL_TYPES.indexOf(before);
    return isOn ? [] : [`${type} ${id} of ${awb} comes after ${before}`];
  });
  const [, end] = endsOf(awb, raised, shown);
  const last = raised.at(-1)?.type;
  // An airline may take back what it said, also before the first look.
  if (last !== undefined && WAYBILL_TYPES.indexOf(`awb_${end}`) > WAYBILL_TYPES.indexOf(last))
    wrong.push(`${awb} is shown ${end}, after ${last}`);
  return wrong;
}

/** Spec 2.4, the status family: these say from which status to which. */
const STATUS_FAMILY: ReadonlySet<string> = new Set([
  ...["container_arrived", "container_available", "container_delivered", "customs_hold", "vessel_departed"],
]);

/** Of a simulated journey. What is raised at their departures may be alike. */
const TRANSSHIPMENTS_MAX = 2;

/** Of an ETA, and of a departure. */
const SHIFT_HOURS_MIN = 24;

/** What is wrong with what was raised for one container, in the order of raising: no change is lost, or reported twice. */
export function wrongOfContainer(
  name: string,
  raised: readonly RaisedBySource[],
  shown: readonly ShownStatuses[],
): readonly string[] {
  const wrong: string[] = [];
  const [first, end] = endsOf(name, raised, shown);
  const disruptions = new Set<unknown>();
  const seen = new Map<string, number>();
  /** Null: nothing has said. */
  let status: string | null = first;
  /** What customs hold comes back to this when they let it go. */
  let held: unknown = null;
  /** What happens at a port between two polls raises nothing: the next event names it. */
  const isAtPort = (next: unknown) =>
    next === "at_transshipment" || (status === "customs_hold" && next === held);
  for (const { id, type, data } of raised) {
    const fields = JSON.parse(data) as Readonly<Record<string, unknown>>;
    if (STATUS_FAMILY.has(type)) {
      const { previous_status: from, new_status: to } = fields;
      const times = (seen.get(type + data) ?? 0) + 1;
      seen.set(type + data, times);
      if (times > (from === "at_transshipment" ? TRANSSHIPMENTS_MAX : 1))
        wrong.push(`${type} ${id} of ${name} is raised again`);
      if (from === to) wrong.push(`${type} ${id} of ${name} changes nothing: ${String(to)}`);
      if (status !== null && from !== status && !isAtPort(from))
        wrong.push(`${type} ${id} of ${name} comes from ${String(from)}, after ${status}`);
      status = String(to);
      held = from;
    }
    // It names no status: from here on nobody knows.
    if (type === "shipment_updated" && (fields["changed_fields"] as readonly string[]).includes("status"))
      status = null;
    if (type === "eta_changed" && Math.abs(Number(fields["delta_hours"])) < SHIFT_HOURS_MIN)
      wrong.push(`${id} of ${name} reports an ETA that moved by ${String(fields["delta_hours"])} hours`);
    if (type === "schedule_disruption") {
      const key = fields["dedup_key"];
      if (disruptions.has(key)) wrong.push(`${id} of ${name} reports ${String(key)} again`);
      disruptions.add(key);
    }
  }
  if (end !== null && status !== null && end !== status && !isAtPort(end))
    wrong.push(`${name} is shown ${end}, after ${status}`);
  return wrong;
}

/** A call of a vessel at a port, as the service shows it at the end. */
export type ShownCall = {
  readonly service: string;
  readonly port: string;
  readonly importVoyage: string;
  readonly exportVoyage: string;
  readonly isCancelled: boolean;
  /** When it was cancelled, in milliseconds of the world. */
  readonly cancelledMs: readonly number[];
};

/** What is wrong with the slips of one account, in the order of raising: each goes on from the last, once a day. */
export function wrongOfSlips(raised: readonly RaisedBySource[]): readonly string[] {
  const wrong: string[] = [];
  const last = new Map<string, { readonly to: unknown; readonly day: number }>();
  for (const { id, type, data, raisedMs } of raised) {
    if (type !== "sailing_slipped") continue;
    const { service, voyage, port, ...is } = JSON.parse(data) as Readonly<Record<string, unknown>>;
    const name = `${String(service)} ${String(voyage)} at ${String(port)}`;
    const before = last.get(name);
    const day = Math.floor((START_MS + raisedMs) / DAY_MS);
    if (Math.abs(Number(is["delta_hours"])) < SHIFT_HOURS_MIN)
      wrong.push(`${id} says that ${name} slipped by ${String(is["delta_hours"])} hours`);
    if (before !== undefined && before.to !== is["old_departure"])
      wrong.push(`${id} of ${name} comes from ${String(is["old_departure"])}, after ${String(before.to)}`);
    if (before?.day === day) wrong.push(`${id} says again on one day that ${name} slipped`);
    last.set(name, { to: is["new_departure"], day });
  }
  return wrong;
}

/** What is wrong with the blank sailings of one account: each cancellation after `sinceMs` is raised, and none twice. */
export function wrongOfBlankings(
  raised: readonly RaisedBySource[],
  calls: readonly ShownCall[],
  sinceMs: number,
): readonly string[] {
  const blanked = raised
    .filter(({ type }) => type === "blank_sailing")
    .map(({ data }) => JSON.parse(data) as Readonly<Record<string, unknown>>)
    .filter(({ reason }) => reason !== "missing");
  return calls.flatMap((call) => {
    const times = call.cancelledMs.filter((ms) => ms > sinceMs).length;
    const voyages = [call.importVoyage, call.exportVoyage];
    const about = blanked.filter(
      ({ kind, service, voyage, port, import_voyage: brings, export_voyage: takes }) =>
        service === call.service &&
        (kind === "voyage"
          ? voyages.includes(String(voyage))
          : port === call.port && brings === call.importVoyage && takes === call.exportVoyage),
    );
    const name = `${call.service} ${call.exportVoyage} at ${call.port}`;
    // Of a voyage that was cancelled when it was first seen, nothing more is raised.
    const wasKnown = calls.some(
      (other) =>
        other.service === call.service &&
        (voyages.includes(other.importVoyage) || voyages.includes(other.exportVoyage)) &&
        other.isCancelled &&
        other.cancelledMs.length === 0,
    );
    if (times > 0 && about.length === 0 && !wasKnown)
      return [`${name} was cancelled, and nothing was raised`];
    const own = about.filter(({ kind }) => kind === "port_call");
    return own.length > call.cancelledMs.length
      ? [`${name} was cancelled ${call.cancelledMs.length} times, and ${own.length} events say so`]
      : [];
  });
}
