/** Statements that an airline could make, for properties: made of what its messages can tell. */
import fc from "fast-check";

import {
  EMPTY_EVENT,
  type AirEvent,
  type AirStatusCode,
  type TimeIndicator,
  type WaybillStatement,
} from "../../../src/products/air/timeline/air-event.ts";
import { timeAt } from "../../../src/products/air/sources/imp/station-time.ts";
import { RECEIVED_MS } from "./reading.ts";

const TODAY = Math.floor(RECEIVED_MS / 86_400_000);

const airport = fc.constantFrom("FRA", "JFK", "HKG", "LHR", "SYD", "GRU", "KTM", "QQQ");
const carrier = fc.constantFrom("LH", "5X", "U2", "EK", "QR");
const flightNumber = fc
  .tuple(fc.integer({ min: 1, max: 9_999 }), fc.constantFrom("", "A", "T"))
  .map(([number, suffix]) => `${String(number).padStart(3, "0")}${suffix}`);
/** Of three letters at least, so that it is not taken for a carrier. */
const name = fc
  .tuple(fc.constantFrom("ACME", "J DE VRIES", "Müller"), fc.constantFrom("", " GMBH", "-SONS 2", " AND CO."))
  .map(([first, last]) => first + last);
const minutes = fc.integer({ min: 0, max: 1_439 });
const happenedOn = fc.integer({ min: TODAY - 350, max: TODAY + 5 });
/** By both rules for years: of a flight that is booked and of one that has left. */
const plannedOn = fc.integer({ min: TODAY - 270, max: TODAY + 5 });
const timeIs = fc.constantFrom<TimeIndicator>("actual", "estimated", "scheduled");
const weightKg = fc.option(fc.integer({ min: 1, max: 99_999 }).map((grams) => grams / 10));

const volume = fc.oneof(
  fc.constant({}),
  fc.integer({ min: 1, max: 9_999 }).map((litres) => ({ volumeM3: litres / 100 })),
  fc.integer({ min: 1, max: 9 }).map((densityGroup) => ({ densityGroup })),
);

const supplements = fc.record({
  remarks: fc.array(fc.constantFrom("SCREENED BY DOG", "Late", "A/B: C'D+E?F"), { maxLength: 3 }),
  ulds: fc.array(fc.constantFrom("AKE12345LH", "PMC7253QR"), { maxLength: 3 }),
  customs: fc.array(
    fc
      .tuple(
        fc.option(fc.constantFrom("US", "DE")),
        fc.constantFrom("", "CNE", "ISS"),
        fc.option(fc.constantFrom("T", "RA", "SD")),
        fc.constantFrom("12-3456789", "00123-01", "A/B"),
      )
      .map(([country, info, control, text]) => ({ country, info, control, text })),
    { maxLength: 3 },
  ),
});

/** How much of a waybill of so many pieces. */
function quantity(all: number) {
  const part = fc.record({
    shipmentPart: fc.constantFrom("part" as const, "split" as const, "divided" as const),
    pieces: fc.integer({ min: 0, max: all }),
    totalPieces: fc.constantFrom(all, all + 1),
    weightKg,
  });
  const whole = weightKg.map((weight) => ({
    shipmentPart: "total" as const,
    pieces: all,
    totalPieces: all,
    weightKg: weight,
  }));
  return fc.oneof(whole, part);
}

type Said = Partial<AirEvent>;

const receipt = fc
  .tuple(airport, happenedOn, minutes, fc.option(name))
  .map(([station, day, minute, party]): Said => ({
    station,
    at: timeAt(station, day, minute),
    timeIs: "actual",
    party,
  }));

const transferred = fc
  .tuple(receipt, carrier, fc.option(carrier), fc.option(fc.constantFrom("123456", "000001")))
  .map(([said, first, second, manifest]) => ({ said, first, second, manifest }));

const daysLater = fc.integer({ min: -1, max: 3 });

const leg = fc
  .record({ from: airport, to: airport, day: plannedOn, flight: fc.option(fc.tuple(carrier, flightNumber)) })
  .chain(({ from, to, day, flight }) =>
    fc
      .tuple(fc.option(fc.tuple(minutes, timeIs)), fc.option(fc.tuple(minutes, timeIs, daysLater)))
      .map(([leaves, comes]): Said => {
        const departure = leaves === null ? null : timeAt(from, day, leaves[0]);
        const lands = comes === null ? null : timeAt(to, day + comes[2], comes[0]);
        // Without a day change, what lands before it left is read as landing on the next day.
        const isWrong = comes?.[2] === 0 && departure !== null && lands!.ms < departure.ms;
        const arrival = isWrong ? null : lands;
        const date = new Date(day * 86_400_000).toISOString().slice(0, 10);
        return {
          station: from,
          from,
          to,
          at: departure ?? timeAt(from, day, 0),
          timeIs: leaves?.[1] ?? null,
          flight: flight === null ? null : { carrier: flight[0], number: flight[1], date },
          departure,
          departureIs: leaves?.[1] ?? null,
          arrival,
          arrivalIs: arrival === null ? null : comes![1],
        };
      }),
  );

const arrived = fc
  .tuple(airport, happenedOn, minutes, fc.option(fc.tuple(carrier, flightNumber)))
  .chain(([station, day, minute, flight]) =>
    fc
      .tuple(fc.option(fc.tuple(minutes, timeIs, daysLater)), fc.option(fc.tuple(minutes, timeIs, daysLater)))
      .map(([leaves, comes]): Said => {
        // A lone actual time is read as the arrival's.
        const isLone = leaves?.[1] === "actual" && comes === null;
        const departure = leaves === null || isLone ? null : timeAt(null, day + leaves[2], leaves[0]);
        const arrival = comes === null ? null : timeAt(station, day + comes[2], comes[0]);
        const date = departure?.local.slice(0, 10) ?? null;
        return {
          station,
          to: station,
          at: timeAt(station, day, minute),
          timeIs: "actual",
          flight: flight === null ? null : { carrier: flight[0], number: flight[1], date },
          departure,
          departureIs: departure === null ? null : leaves![1],
          arrival,
          arrivalIs: comes?.[1] ?? null,
        };
      }),
  );

const discrepant = fc
  .tuple(receipt, fc.constantFrom("MSCA", "FDCA", "OVCD"), fc.option(fc.tuple(carrier, flightNumber)))
  .map(([said, discrepancy, flight]): Said => ({
    ...said,
    party: null,
    discrepancy,
    flight: flight === null ? null : { carrier: flight[0], number: flight[1], date: null },
  }));

const anyOf = (...codes: readonly AirStatusCode[]) => fc.constantFrom(...codes);

const said: fc.Arbitrary<Said & { readonly code: AirStatusCode }> = fc.oneof(
  fc.tuple(anyOf("RCS", "FOH"), receipt, volume).map(([code, told, more]) => ({ code, ...told, ...more })),
  fc
    .tuple(anyOf("DPU", "DOC", "NFD", "AWD", "DLV", "DDL", "CCD", "TGC", "CRC"), receipt)
    .map(([code, told]) => ({ code, ...told })),
  fc
    .tuple(anyOf("BKD", "PRE", "MAN", "DEP"), leg, volume)
    .map(([code, told, more]) => ({ code, ...told, ...more })),
  fc.tuple(anyOf("RCF", "ARR", "AWR", "FIW"), arrived).map(([code, told]) => ({ code, ...told })),
  fc.tuple(anyOf("DIS"), discrepant).map(([code, told]) => ({ code, ...told })),
  transferred.map(({ said: told, first, second }) => ({
    code: "RCT" as const,
    ...told,
    transfer: { from: first, to: second, manifest: null },
  })),
  transferred.map(({ said: told, first, second, manifest }) => ({
    code: "TFD" as const,
    ...told,
    transfer: { from: second, to: first, manifest },
  })),
  fc.tuple(airport, carrier).map(([station, to]) => ({
    code: "TRM" as const,
    station,
    transfer: { from: null, to, manifest: null },
  })),
);

function isOfAll({ shipmentPart, pieces, weightKg: weight }: AirEvent, all: number): boolean {
  return shipmentPart === "total" && pieces === all && weight !== null;
}

export const anyStatement: fc.Arbitrary<WaybillStatement> = fc
  .record({
    all: fc.integer({ min: 1, max: 9_999 }),
    serial: fc.integer({ min: 0, max: 9_999_999 }),
    weightKg,
  })
  .chain(({ all, serial, weightKg: weight }) =>
    fc
      .record({
        prefix: fc.constantFrom("020", "176", "001"),
        origin: airport,
        destination: airport,
        events: fc.array(
          fc
            .tuple(said, quantity(all), supplements)
            .map(([event, much, more]): AirEvent => ({ ...EMPTY_EVENT, ...event, ...much, ...more })),
          { maxLength: 8 },
        ),
      })
      .map(({ prefix, origin, destination, events }) => ({
        awb: `${prefix}${String(serial).padStart(7, "0")}${serial % 7}`,
        origin,
        destination,
        pieces: all,
        weightKg: weight ?? events.findLast((event) => isOfAll(event, all))?.weightKg ?? null,
        events,
      })),
  );
