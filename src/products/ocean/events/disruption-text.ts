/** How the headline of a disruption names a sailing, a port and a day. */
import { dayIn } from "../../../freight/places/local-time.ts";
import { zoneAt } from "../../../freight/places/known-ports.ts";
import { portOf, zoneOf } from "../../../freight/places/ports.ts";
import { DAY_MS, HOUR_MS } from "../../../runtime/durations.ts";
import type { BoxRecord, MissedSailing, NextSailing, Sailing } from "../record/shipment-record.ts";

export function rollOverHeadline(
  missed: MissedSailing,
  next: NextSailing | null,
  delayMs: number | null,
  box: BoxRecord,
): string {
  const from = sailingText(missed);
  const rolled = `The box is rolled over at ${portText(missed, box)}`;
  if (next === null) return `${rolled}: ${from} has left without it, and no next sailing is known`;
  const isNamed = next.vessel !== null || next.voyage !== null;
  const to = isNamed ? sailingText(next) : "another sailing";
  const later = delayMs === null ? "" : ` ${delayText(delayMs)} later,`;
  return `${rolled}, from ${from} to ${to}, which leaves${later} on ${dayText(missed.from, next.expectedMs)}`;
}

/** `20 hours`, `7 days`. */
function delayText(ms: number): string {
  const [count, unit] = ms < 2 * DAY_MS ? [ms / HOUR_MS, "hour"] : [ms / DAY_MS, "day"];
  const whole = Math.max(1, Math.round(count));
  return `${whole} ${unit}${whole === 1 ? "" : "s"}`;
}

export function sailingText({ vessel, voyage }: Pick<Sailing, "vessel" | "voyage">): string {
  if (vessel === null) return voyage === null ? "The vessel" : `Voyage ${voyage}`;
  return voyage === null ? vessel : `${vessel} ${voyage}`;
}

/** `Rotterdam (NLRTM)`. */
export function portText({ from }: Pick<Sailing, "from">, { timeline }: BoxRecord): string {
  const stated = timeline.find(({ place }) => place?.unlocode === from && place.name !== null)?.place?.name;
  const name = portOf(from)?.name ?? stated ?? null;
  return name === null ? from : `${name} (${from})`;
}

/** `24 November`, by the calendar of the port: its code or, without one, its name. */
export function dayText(port: string, ms: number): string {
  const zone = zoneAt({ unlocode: portOf(port) === null ? null : port, name: port }) ?? "UTC";
  const day = Temporal.PlainDate.from(dayIn(zone, ms));
  return day.toLocaleString("en-GB", { day: "numeric", month: "long" });
}

/** As part of keys that are stored: of a port without a code, in UTC. */
export function isoDayIn(port: string, ms: number): string {
  return dayIn(zoneOf(port) ?? "UTC", ms);
}
