/** What happens to a waybill's cargo from its booking until the consignee has all of it. */
import { drawsOf, minutes } from "../world/chance.ts";
import { HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import { CLOSES_BEFORE_MS, flightAfter, type Flight } from "./flights.ts";
import { happen, shares, type Happening, type Journey, type Lot } from "./happening.ts";
import { handOut } from "./handing-out.ts";
import type { Station } from "./stations.ts";
import type { Waybill } from "./waybill.ts";

/** In no order. */
export function journeyOf(seed: number, waybill: Waybill): readonly Happening[] {
  const journey: Journey = { waybill, draws: drawsOf(seed, "journey", waybill.index), happenings: [] };
  let lots = accept(journey);
  for (let leg = 0; leg < waybill.carriers.length; leg += 1) {
    lots = fly(seed, journey, leg, lots);
    if (leg < waybill.carriers.length - 1) lots = lots.map((lot) => transfer(journey, leg, lot));
  }
  handOut(journey, lots);
  return journey.happenings;
}

/** Until the cargo is ready to be flown, in one lot or several. */
function accept(journey: Journey): readonly Lot[] {
  const { waybill, draws } = journey;
  const { pieces, bookedMs } = waybill;
  const station = waybill.route[0] as Station;
  const acceptedMs = bookedMs + minutes(draws, 6, 60);
  if (draws.is(0.3)) {
    happen(journey, "FOH", { station, atMs: acceptedMs - minutes(draws, 0.5, 5), pieces, party: "SHIPPER" });
  }
  const isFromOther = draws.is(0.05);
  happen(journey, isFromOther ? "RCT" : "RCS", {
    station,
    atMs: acceptedMs,
    pieces,
    ...(isFromOther
      ? { transfer: { from: "9Q", to: waybill.airline.iata } }
      : { party: draws.pick(["SIMULATED SHIPPER", "NORTH TRADING"]) }),
  });
  // For leaving the country, which says nothing of what it is to be cleared for at the end.
  if (draws.is(0.15)) happen(journey, "CCD", { station, atMs: acceptedMs + minutes(draws, 0.2, 2), pieces });
  const counts = pieces > 2 && draws.is(0.25) ? shares(draws, pieces, draws.whole(2, 3)) : [pieces];
  return counts.map((count, index) => ({ pieces: count, readyMs: acceptedMs + index * 20 * HOUR_MS }));
}

/** All lots over one leg; those of one flight are one lot. */
function fly(seed: number, journey: Journey, leg: number, lots: readonly Lot[]): readonly Lot[] {
  const { waybill, draws } = journey;
  const [from, to] = [waybill.route[leg] as Station, waybill.route[leg + 1] as Station];
  const carrier = waybill.carriers[leg] as string;
  const landed: Lot[] = [];
  const next = (ms: number): Flight => flightAfter(seed, carrier, from, to, ms + CLOSES_BEFORE_MS);
  book(journey, leg, next(Math.min(...lots.map(({ readyMs }) => readyMs))));
  const waiting = lots.map(({ pieces, readyMs }) => ({ pieces, flight: next(readyMs), missed: 0 }));
  while (waiting.length > 0) {
    const departureMs = Math.min(...waiting.map(({ flight }) => flight.scheduled.departureMs));
    const aboard = waiting.filter(({ flight }) => flight.scheduled.departureMs === departureMs);
    for (const lot of aboard) waiting.splice(waiting.indexOf(lot), 1);
    const { flight, missed } = aboard[0]!;
    const pieces = aboard.reduce((sum, lot) => sum + lot.pieces, 0);
    const atMs = flight.scheduled.departureMs;
    if (draws.is(0.5))
      happen(journey, "PRE", { station: from, atMs, knownMs: atMs - 5 * HOUR_MS, pieces, flight });
    happen(journey, "MAN", { station: from, atMs, knownMs: atMs - minutes(draws, 1, 3), pieces, flight });
    const left = missed < 2 && draws.is(0.1) ? draws.whole(1, pieces) : 0;
    if (left > 0) {
      const offMs = flight.actual.departureMs;
      const rebooked = next(Math.max(offMs, departureMs) + HOUR_MS);
      happen(journey, "DIS", { station: from, atMs: offMs, pieces: left, flight, discrepancy: "OFLD" });
      happen(journey, "BKD", booking(waybill, rebooked, offMs + HOUR_MS, left));
      waiting.push({ pieces: left, flight: rebooked, missed: missed + 1 });
    }
    if (left < pieces) landed.push(...land(journey, flight, pieces - left));
  }
  return landed;
}

function book(journey: Journey, leg: number, flight: Flight): void {
  const { waybill } = journey;
  const knownMs = waybill.bookedMs + leg * MINUTE_MS;
  const { bookedPieces: pieces } = waybill;
  happen(journey, "BKD", { ...booking(waybill, flight, knownMs, pieces), totalPieces: pieces });
}

/** Told when it is made; its time is the flight's. */
function booking({ pieces: totalPieces }: Waybill, flight: Flight, knownMs: number, pieces: number) {
  return { station: flight.from, atMs: flight.scheduled.departureMs, knownMs, pieces, totalPieces, flight };
}

/** Out and in again; a part of it may not be found on the other side for some days. */
function land(journey: Journey, flight: Flight, pieces: number): readonly Lot[] {
  const { draws } = journey;
  const { departureMs, arrivalMs } = flight.actual;
  happen(journey, "DEP", { station: flight.from, atMs: departureMs, pieces, flight });
  happen(journey, "ARR", { station: flight.to, atMs: arrivalMs, pieces, flight });
  const receivedMs = arrivalMs + minutes(draws, 0.5, 8);
  const missing = draws.is(0.05) ? draws.whole(1, pieces) : 0;
  const lots: Lot[] = [];
  if (missing < pieces) lots.push({ pieces: pieces - missing, readyMs: receivedMs });
  if (missing > 0) {
    const foundMs = receivedMs + minutes(draws, 12, 60);
    const station = flight.to;
    happen(journey, "DIS", { station, atMs: receivedMs, pieces: missing, flight, discrepancy: "MSCA" });
    happen(journey, "DIS", { station, atMs: foundMs, pieces: missing, flight, discrepancy: "FDCA" });
    lots.push({ pieces: missing, readyMs: foundMs + MINUTE_MS });
  }
  for (const lot of lots) {
    happen(journey, "RCF", { station: flight.to, atMs: lot.readyMs, pieces: lot.pieces, flight });
  }
  return lots;
}

/** At a transit station, into the hands of the next carrier where that is another. */
function transfer(journey: Journey, leg: number, { pieces, readyMs }: Lot): Lot {
  const { waybill, draws } = journey;
  const station = waybill.route[leg + 1] as Station;
  const [from, to] = [waybill.carriers[leg] as string, waybill.carriers[leg + 1] as string];
  if (from === to) return { pieces, readyMs };
  const handedMs = readyMs + minutes(draws, 2, 12);
  const parties = { station, pieces, transfer: { from, to } };
  happen(journey, "TRM", { ...parties, atMs: readyMs + minutes(draws, 0.2, 1.5) });
  happen(journey, "TFD", { ...parties, atMs: handedMs });
  happen(journey, "RCT", { ...parties, atMs: handedMs + draws.whole(0, 40) * MINUTE_MS });
  return { pieces, readyMs: handedMs + HOUR_MS };
}
