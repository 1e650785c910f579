/**
 * Until when a box may stay at its terminal for nothing, how long it has been there since, and what
 * that has cost. Free time runs where the journey ends, in that port's zone, from the box's discharge
 * until it leaves by the gate.
 */
import { samePlace, type CarrierEvent, type Place } from "../sources/carrier-event.ts";
import { dayIn, zoneOf } from "../../../freight/places/port-zone.ts";
import type { FreeDay } from "../sources/carrier-answer.ts";
import type { BoxRecord, FreeTime } from "../record/shipment-record.ts";
import { daysBetween, endOfDayMs, lastFreeDay, warningMs } from "./free-days.ts";
import { accruedCents, tariffFor, type Tariffs } from "./tariff.ts";

/** What is asked of a box's record. */
export type DischargedBox = Pick<
  BoxRecord,
  "equipment" | "status" | "timeline" | "milestones" | "discharge" | "destination"
>;

/** Statuses of a box that stays, or stayed, ashore at the end of its voyage. */
const ASHORE: readonly BoxRecord["status"][] = [
  "discharged",
  "customs_hold",
  "available",
  "delivered",
  "returned_empty",
];

/**
 * The free time of a box as of `nowMs`; null before it is ashore, and where neither the carrier nor a
 * tariff says. What the carrier states comes first; the rates are the tariff's in either case.
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

/** The box's own day rather than the one for all boxes. */
function statedFor(equipment: string | null, stated: readonly FreeDay[]): string | null {
  const own = stated.find((day) => day.equipment !== null && day.equipment === equipment);
  return (own ?? stated.find((day) => day.equipment === null))?.lastFreeDay ?? null;
}

/** Off the ship at its port, or in at the inland terminal where the journey ends. */
function dischargeAt(port: Place, timeline: readonly CarrierEvent[]): CarrierEvent | null {
  const here = timeline.filter(
    (event) =>
      event.classifier === "actual" &&
      event.kind === "equipment" &&
      event.laden !== false &&
      samePlace(event.place, port),
  );
  const offShip = here.findLast(({ code, mode }) => code === "DISC" && mode === "vessel");
  return offShip ?? here.find(({ code }) => code === "DISC" || code === "GTIN") ?? null;
}

function leftMs({ milestones }: DischargedBox): number | null {
  return milestones.find(({ type }) => type === "container_delivered")?.at.ms ?? null;
}

/** An unknown port's days are told by the offset that the carrier reports there, or by UTC. */
function zoneAt(port: Place, timeline: readonly CarrierEvent[]): string {
  const zone = zoneOf(port.unlocode);
  if (zone !== null) return zone;
  const told = timeline.findLast((event) => event.at.offsetMinutes !== null && samePlace(event.place, port));
  return fixedZone(told?.at.offsetMinutes ?? 0);
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
