/** What happens to a waybill's cargo from its booking until the consignee has all of it. */
import { mix, seededRandom, randomDurationMs } from "../world/seeded-random.ts";
import { HOUR_MS, MINUTE_MS } from "../world/durations.ts";
import { asBooked, bookingOf, bookLeg } from "./booking.ts";
import { CUT_OFF_MS, flightAfter, type Flight } from "./flights.ts";
import { addMilestone, splitPieces, type Milestone, type Journey, type Lot } from "./milestone.ts";
import { deliverCargo } from "./destination.ts";
import type { Station } from "./stations.ts";
import type { Waybill } from "./waybill.ts";

/** In no order. */
export function journeyOf(seed: number, waybill: Waybill): readonly Milestone[] {
  const journey: Journey = { waybill, draws: seededRandom(seed, "journey", waybill.index), milestones: [] };
  let lots = acceptCargo(journey);
  for (let leg = 0; leg < waybill.carriers.length; leg += 1) {
    lots = flyLeg(seed, journey, leg, lots);
    if (leg < waybill.carriers.length - 1) lots = lots.map((lot) => transferCargo(journey, leg, lot));
  }
  deliverCargo(journey, lots);
  return journey.milestones;
}

/** Until the cargo is ready to be flown, in one lot or several. */
function acceptCargo(journey: Journey): readonly Lot[] {
  const { waybill, draws } = journey;
  const { pieces, bookedMs } = waybill;
  const station = waybill.route[0] as Station;
  const acceptedMs = bookedMs + randomDurationMs(draws, 6, 60);
  const announced = { station, ...asBooked(waybill) };
  if (draws.chance(0.15))
    addMilestone(journey, "DPU", { ...announced, atMs: acceptedMs - randomDurationMs(draws, 1, 5) });
  if (draws.chance(0.2))
    addMilestone(journey, "DOC", { ...announced, atMs: acceptedMs - randomDurationMs(draws, 0.2, 5) });
  if (draws.chance(0.3)) {
    addMilestone(journey, "FOH", {
      ...announced,
      atMs: acceptedMs - randomDurationMs(draws, 0.5, 5),
      party: "SHIPPER",
    });
  }
  const isFromOther = draws.chance(0.05);
  addMilestone(journey, isFromOther ? "RCT" : "RCS", {
    station,
    atMs: acceptedMs,
    pieces,
    ...(isFromOther
      ? { transfer: { from: "9Q", to: waybill.airline.iata } }
      : { party: draws.pick(["SIMULATED SHIPPER", "NORTH TRADING"]) }),
  });
  // To the shipper, which says nothing of what awaits the consignee.
  if (draws.chance(0.06))
    addMilestone(journey, "NFD", { station, atMs: acceptedMs + randomDurationMs(draws, 0.1, 1), pieces });
  // For leaving the country, which says nothing of what it is to be cleared for at the end.
  if (draws.chance(0.15))
    addMilestone(journey, "CCD", { station, atMs: acceptedMs + randomDurationMs(draws, 0.2, 2), pieces });
  const counts =
    pieces > 2 && draws.chance(0.25) ? splitPieces(draws, pieces, draws.integer(2, 3)) : [pieces];
  const halves = pieces % 2 === 0 && draws.chance(0.08) ? [pieces / 2, pieces / 2] : counts;
  return halves.map((count, index) => ({ pieces: count, readyMs: acceptedMs + index * 20 * HOUR_MS }));
}

/** All lots over one leg; those of one flight are one lot. */
function flyLeg(seed: number, journey: Journey, leg: number, lots: readonly Lot[]): readonly Lot[] {
  const { waybill, draws } = journey;
  const [from, to] = [waybill.route[leg] as Station, waybill.route[leg + 1] as Station];
  const carrier = waybill.carriers[leg] as string;
  const landed: Lot[] = [];
  const next = (ms: number): Flight => flightAfter(seed, carrier, from, to, ms + CUT_OFF_MS);
  const booked = next(Math.min(...lots.map(({ readyMs }) => readyMs)));
  bookLeg(seed, journey, { leg, flight: booked, acceptedMs: acceptedMsOf(journey) });
  const waiting = lots.map(({ pieces, readyMs }) => ({ pieces, flight: next(readyMs), missed: 0 }));
  while (waiting.length > 0) {
    const departureMs = Math.min(...waiting.map(({ flight }) => flight.scheduled.departureMs));
    const aboard = waiting.filter(({ flight }) => flight.scheduled.departureMs === departureMs);
    for (const lot of aboard) waiting.splice(waiting.indexOf(lot), 1);
    const { flight, missed } = aboard[0]!;
    const pieces = aboard.reduce((sum, lot) => sum + lot.pieces, 0);
    const atMs = flight.scheduled.departureMs;
    if (draws.chance(0.5))
      addMilestone(journey, "PRE", { station: from, atMs, knownMs: atMs - 5 * HOUR_MS, pieces, flight });
    const madeMs = atMs - randomDurationMs(draws, 1, 3);
    const isFirst = departureMs === booked.scheduled.departureMs;
    const knownMs = isFirst ? manifestedMs(seed, journey, leg, madeMs) : madeMs;
    addMilestone(journey, "MAN", { station: from, atMs, knownMs, pieces, flight });
    if (draws.chance(0.3)) {
      const outMs = Math.min(atMs, flight.actual.departureMs) - randomDurationMs(draws, 0.2, 2);
      addMilestone(journey, "FOW", { station: from, atMs: outMs, pieces, flight });
    }
    const isReturned = missed === 0 && draws.chance(0.04);
    if (isReturned) {
      const backMs = returnToRamp(journey, flight, pieces);
      const rebooked = next(Math.max(backMs, departureMs) + HOUR_MS);
      addMilestone(journey, "BKD", { ...bookingOf(rebooked, backMs + HOUR_MS), pieces });
      waiting.push({ pieces, flight: rebooked, missed: 1 });
      continue;
    }
    const left = missed < 2 && draws.chance(0.1) ? draws.integer(1, pieces) : 0;
    if (left > 0) {
      const offMs = flight.actual.departureMs;
      const rebooked = next(Math.max(offMs, departureMs) + HOUR_MS);
      addMilestone(journey, "DIS", { station: from, atMs: offMs, pieces: left, flight, discrepancy: "OFLD" });
      addMilestone(journey, "BKD", { ...bookingOf(rebooked, offMs + HOUR_MS), pieces: left });
      waiting.push({ pieces: left, flight: rebooked, missed: missed + 1 });
    }
    if (left < pieces) landed.push(...landCargo(journey, flight, pieces - left));
  }
  return landed;
}

/** Some manifests are made while the cargo is still at the station before, for a flight that is booked by then. */
function manifestedMs(seed: number, { waybill, milestones }: Journey, leg: number, madeMs: number): number {
  const draws = seededRandom(seed, "manifest", mix(waybill.index, leg));
  const station = waybill.route[leg];
  const left = milestones.filter(
    ({ code, flight, isReturned }) => code === "DEP" && flight!.to === station && !isReturned,
  );
  const aheadMs = Math.min(...left.map(({ atMs }) => atMs)) - randomDurationMs(draws, 0.2, 2);
  const isBooked = milestones.every(
    ({ code, knownMs, ...booked }) => code !== "BKD" || booked.station !== station || knownMs < aheadMs,
  );
  return left.length > 0 && isBooked && draws.chance(0.3) ? aheadMs : madeMs;
}

/** It was said to have left, and did not. Returns when it is off the flight again. */
function returnToRamp(journey: Journey, flight: Flight, pieces: number): number {
  const { departureMs } = flight.actual;
  const backMs = departureMs + randomDurationMs(journey.draws, 0.3, 2);
  const off = { station: flight.from, pieces, flight };
  addMilestone(journey, "DEP", { ...off, atMs: departureMs, isReturned: true });
  addMilestone(journey, "DIS", { ...off, atMs: backMs, discrepancy: "OFLD" });
  return backMs;
}

function acceptedMsOf({ milestones }: Journey): number {
  return milestones.find(({ code }) => code === "RCS" || code === "RCT")!.atMs;
}

/** Out and in again; a part of it may not be found on the other side for some days. */
function landCargo(journey: Journey, flight: Flight, pieces: number): readonly Lot[] {
  const { draws } = journey;
  const { departureMs, arrivalMs } = flight.actual;
  addMilestone(journey, "DEP", { station: flight.from, atMs: departureMs, pieces, flight });
  addMilestone(journey, "ARR", { station: flight.to, atMs: arrivalMs, pieces, flight });
  const receivedMs = arrivalMs + randomDurationMs(draws, 0.5, 8);
  const missing = draws.chance(0.05) ? draws.integer(1, pieces) : 0;
  const lots: Lot[] = [];
  if (missing < pieces) lots.push({ pieces: pieces - missing, readyMs: receivedMs });
  if (missing > 0) {
    const foundMs = receivedMs + randomDurationMs(draws, 12, 60);
    const station = flight.to;
    addMilestone(journey, "DIS", { station, atMs: receivedMs, pieces: missing, flight, discrepancy: "MSCA" });
    addMilestone(journey, "DIS", { station, atMs: foundMs, pieces: missing, flight, discrepancy: "FDCA" });
    lots.push({ pieces: missing, readyMs: foundMs + MINUTE_MS });
  }
  for (const lot of lots) {
    const inMs = Math.max(arrivalMs, lot.readyMs - randomDurationMs(draws, 0.1, 1));
    addMilestone(journey, "FIW", { station: flight.to, atMs: inMs, pieces: lot.pieces, flight });
    addMilestone(journey, "RCF", { station: flight.to, atMs: lot.readyMs, pieces: lot.pieces, flight });
  }
  return lots;
}

/** At a transit station, into the hands of the next carrier where that is another. */
function transferCargo(journey: Journey, leg: number, { pieces, readyMs }: Lot): Lot {
  const { waybill, draws } = journey;
  const station = waybill.route[leg + 1] as Station;
  const [from, to] = [waybill.carriers[leg] as string, waybill.carriers[leg + 1] as string];
  if (from === to) return { pieces, readyMs };
  const handedMs = readyMs + randomDurationMs(draws, 2, 12);
  const parties = { station, pieces, transfer: { from, to } };
  // Some airlines announce the hand-over with the booking.
  const announcedMs = draws.chance(0.4)
    ? waybill.bookedMs + randomDurationMs(draws, 0.5, 5)
    : readyMs + randomDurationMs(draws, 0.2, 1.5);
  const thought = announcedMs < acceptedMsOf(journey) ? asBooked(waybill) : {};
  addMilestone(journey, "TRM", { ...parties, ...thought, atMs: announcedMs });
  addMilestone(journey, "TFD", { ...parties, atMs: handedMs });
  addMilestone(journey, "RCT", { ...parties, atMs: handedMs + draws.integer(0, 40) * MINUTE_MS });
  return { pieces, readyMs: handedMs + HOUR_MS };
}
