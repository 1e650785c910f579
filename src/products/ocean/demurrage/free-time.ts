/**
 * The last free day of a box, the days overdue and their cost. Free time runs where the journey ends, by the
 * calendar of that port, from the box's discharge to its gate-out.
 */
import { samePlace, type CarrierEvent, type Place } from "../sources/carrier-event.ts";
import { dayIn } from "../../../freight/places/local-time.ts";
import { zoneOf } from "../../../freight/places/ports.ts";
import type { FreeDay } from "../sources/carrier-answer.ts";
import type { BoxRecord, FreeTime } from "../record/shipment-record.ts";
import { ASHORE } from "../status/status-groups.ts";
import { daysBetween, endOfDayMs, lastFreeDay, warningMs } from "./free-days.ts";
import { accruedCents, tariffFor, type Tariffs } from "./tariff.ts";

export type DischargedBox = Pick<
  BoxRecord,
  "equipment" | "status" | "timeline" | "milestones" | "discharge" | "destination"
>;

/**
 * Null before the box is ashore, and if neither the carrier nor a tariff gives a last free day. The carrier's day
 * comes first; the rates are always the tariff's.
 */
export function freeTimeOf(
  box: DischargedBox,
  carrier: string,
  tariffs: Tariffs,
  stated: readonly FreeDay[],
  nowMs: number,
): FreeTime | null {
  const port = box.destination ?? box.discharge;
  if (port === null || !ASHORE.includes(box.status)) return null;
  const discharge = dischargeAt(port, box.timeline);
  const zone = zoneAt(port, box.timeline);
  const dischargeDay = discharge === null ? null : dayIn(zone, discharge.at.ms);
  const tariff =
    dischargeDay === null
      ? null
      : tariffFor(tariffs, { carrier, port: port.unlocode, equipment: isoCodeOf(box), dischargeDay });
  const statedDay = statedFor(box.equipment, stated);
  const last =
    statedDay ??
    (tariff === null || dischargeDay === null ? null : lastFreeDay(tariff, countryOf(port), dischargeDay));
  if (last === null) return null;
  const untilMs = Math.min(leftMs(box) ?? nowMs, nowMs);
  const daysOverdue = Math.max(0, daysBetween(last, dayIn(zone, untilMs)));
  const cents = tariff === null ? null : accruedCents(tariff, daysOverdue);
  return {
    lastFreeDay: last,
    source: statedDay === null ? "tariff" : "carrier",
    endsMs: endOfDayMs(last, zone),
    warnsMs: warningMs(last, zone),
    daysOverdue,
    accruedUsd: cents === null ? null : cents / 100,
  };
}

/** The box's own day, else that of all boxes. */
function statedFor(equipment: string | null, stated: readonly FreeDay[]): string | null {
  const own = stated.find((day) => day.equipment !== null && day.equipment === equipment);
  return (own ?? stated.find((day) => day.equipment === null))?.lastFreeDay ?? null;
}

/** The discharge at the port, or the gate-in at the inland terminal, where the journey ends. */
function dischargeAt(port: Place, timeline: readonly CarrierEvent[]): CarrierEvent | null {
  const here = timeline.filter(
    (event) =>
      event.classifier === "actual" &&
      event.kind === "equipment" &&
      event.laden !== false &&
      samePlace(event.place, port),
  );
  const offVessel = here.findLast(({ code, mode }) => code === "DISC" && mode === "vessel");
  return offVessel ?? here.find(({ code }) => code === "DISC" || code === "GTIN") ?? null;
}

function leftMs({ milestones }: DischargedBox): number | null {
  return milestones.find(({ type }) => type === "container_delivered")?.at.ms ?? null;
}

/** For an unknown port, the offset that the carrier reports there, else UTC. */
function zoneAt(port: Place, timeline: readonly CarrierEvent[]): string {
  const zone = zoneOf(port.unlocode);
  if (zone !== null) return zone;
  const reported = timeline.findLast(
    (event) => event.at.offsetMinutes !== null && samePlace(event.place, port),
  );
  return fixedZone(reported?.at.offsetMinutes ?? 0);
}

function fixedZone(offsetMinutes: number): string {
  const minutes = Math.abs(offsetMinutes);
  const part = (value: number): string => String(value).padStart(2, "0");
  return `${offsetMinutes < 0 ? "-" : "+"}${part(Math.floor(minutes / 60))}:${part(minutes % 60)}`;
}

function countryOf({ unlocode }: Place): string {
  return unlocode?.slice(0, 2) ?? "ZZ";
}

function isoCodeOf({ timeline }: DischargedBox): string | null {
  return timeline.find(({ isoCode }) => (isoCode ?? null) !== null)?.isoCode ?? null;
}
