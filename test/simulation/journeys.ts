/** What must hold of the events of one journey: a container's, or a waybill's. */

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

/** What is wrong with what was raised for one waybill, in the order of raising: each status once, and none backwards. */
export function wrongOfWaybill(awb: string, raised: readonly RaisedBySource[]): readonly string[] {
  return raised.flatMap(({ id, type }, at) => {
    const before = raised[at - 1]?.type ?? "";
    const isOn = WAYBILL_TYPES.indexOf(type) > WAYBILL_TYPES.indexOf(before);
    return isOn ? [] : [`${type} ${id} of ${awb} comes after ${before}`];
  });
}

/** Spec 2.4, the status family: these say from which status to which. */
const STATUS_FAMILY: ReadonlySet<string> = new Set([
  ...["container_arrived", "container_available", "container_delivered", "customs_hold", "vessel_departed"],
]);

const ETA_SHIFT_HOURS_MIN = 24;

/** What is wrong with what was raised for one container, in the order of raising: no change is lost, or reported twice. */
export function wrongOfContainer(name: string, raised: readonly RaisedBySource[]): readonly string[] {
  const wrong: string[] = [];
  const disruptions = new Set<unknown>();
  const seen = new Set<string>();
  /** Null: nothing has said. */
  let status: string | null = null;
  for (const { id, type, data } of raised) {
    const fields = JSON.parse(data) as Readonly<Record<string, unknown>>;
    if (STATUS_FAMILY.has(type)) {
      if (seen.has(type + data)) wrong.push(`${type} ${id} of ${name} is raised again`);
      seen.add(type + data);
      const { previous_status: from, new_status: to } = fields;
      if (from === to) wrong.push(`${type} ${id} of ${name} changes nothing: ${String(to)}`);
      // What happens at a port between two polls raises nothing: a ship that leaves it names it.
      if (status !== null && from !== status && !(type === "vessel_departed" && from === "at_transshipment"))
        wrong.push(`${type} ${id} of ${name} comes from ${String(from)}, after ${status}`);
      status = String(to);
    }
    // It names no status: from here on nobody knows.
    if (type === "shipment_updated" && (fields["changed_fields"] as readonly string[]).includes("status"))
      status = null;
    if (type === "eta_changed" && Math.abs(Number(fields["delta_hours"])) < ETA_SHIFT_HOURS_MIN)
      wrong.push(`${id} of ${name} tells an ETA that moved by ${String(fields["delta_hours"])} hours`);
    if (type === "schedule_disruption") {
      const key = fields["dedup_key"];
      if (disruptions.has(key)) wrong.push(`${id} of ${name} tells ${String(key)} again`);
      disruptions.add(key);
    }
  }
  return wrong;
}
