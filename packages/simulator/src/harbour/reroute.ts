/** Boxes that are taken on from where they could already be fetched, and moves between two terminals of a port. */
import { randomDurationMs, type SeededRandom } from "../world/seeded-random.ts";
import type { PlaceCode } from "../world/places.ts";
import { HOUR_MS } from "../world/durations.ts";
import type { Sailed } from "./leg.ts";
import type { Hop } from "./services.ts";

/** Where a box that has come to its last port is sent on to. */
const SENT_ON: Readonly<Partial<Record<PlaceCode, Hop>>> = {
  NLRTM: { service: "NE2", from: "NLRTM", to: "SEGOT" },
  GBFXT: { service: "FE2", from: "GBFXT", to: "DEHAM" },
  BRSSZ: { service: "LA2", from: "BRSSZ", to: "ARBUE" },
  SEGOT: { service: "NE2", from: "SEGOT", to: "PLGDN" },
};

export type SentOn = {
  readonly hop: Hop;
  readonly decidedMs: number;
  readonly ashore: Pick<Sailed, "releasedMs" | "trucked">;
};

/** A day given as a date must not hide which of two steps came first. */
const APART_HOURS = 30;

/** Null: it stays. A box is handed over as though to the consignee only after `fromMs`. */
export function sendOn(
  draws: SeededRandom,
  { dischargedMs, dischargedAt }: Sailed,
  fromMs: number,
): SentOn | null {
  const hop = SENT_ON[dischargedAt];
  if (hop === undefined || !draws.chance(0.07)) return null;
  const releasedMs = dischargedMs + randomDurationMs(draws, APART_HOURS, APART_HOURS + 40);
  const outMs = releasedMs + randomDurationMs(draws, APART_HOURS, APART_HOURS + 20);
  const decidedMs = outMs + randomDurationMs(draws, 40, 110);
  const trucked = outMs > fromMs && draws.chance(0.5) ? { outMs, inMs: decidedMs, handedOver: true } : null;
  return { hop, decidedMs, ashore: { releasedMs, trucked } };
}

/** Null: the box is loaded where it was discharged. */
export function truckBetween(draws: SeededRandom, dischargedMs: number, loadedMs: number): Sailed["trucked"] {
  if (!draws.chance(0.2)) return null;
  const outMs = dischargedMs + randomDurationMs(draws, 3, 20);
  const inMs = outMs + randomDurationMs(draws, 1, 4);
  return inMs + HOUR_MS > loadedMs ? null : { outMs, inMs, handedOver: false };
}
