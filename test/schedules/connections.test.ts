/** Legs and connections: against the statement that lists sailings, and against a search without any short cut. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";

import fc from "fast-check";

import {
  findEnds,
  joinOnce,
  usefulBetween,
  type Between,
  type ConnectionRules,
  type Journey,
} from "../../src/products/schedules/search/connections.ts";
import { createEffort, STEPS_MAX } from "../../src/products/schedules/search/effort.ts";
import { joinTwice } from "../../src/products/schedules/search/join-twice.ts";
import { createLegs, type CallPoint } from "../../src/products/schedules/search/legs.ts";
import { listSailings } from "../../src/products/schedules/store/schedules-read.ts";
import { runInSlicesWhile, runToEnd, type SlicedWork } from "../../src/runtime/time-slices.ts";
import { START_MS } from "../support/clock.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { realClock } from "../support/real-clock.ts";
import { DAY_MS, HOUR_MS } from "./statements.ts";
import { forAll, runs } from "../support/runs.ts";

const PORTS = ["CNSHA", "SGSIN", "LKCMB", "NLRTM", "DEHAM"] as const;
const NUMBERED = ["9321483", "9321495", "9321500", "9074729", "9811000", "9839430"] as const;
const VESSELS = [...NUMBERED.slice(0, 3), null] as const;

/** At least so many calls. Few vessels, services and numbers, so that rounds, changes of voyage and missing numbers all occur. */
const callPoints = (least: number, vessels: readonly (string | null)[] = VESSELS) =>
  fc
    .array(
      fc.record({
        carrier: fc.constantFrom("HRNL", "HRNL", "HRNL", "TRNC"),
        service: fc.constantFrom("A", "A", "B"),
        voyage: fc.constantFrom("1E", "1E", "1E", "2E", ""),
        importVoyage: fc.constantFrom("", "", "1E"),
        port: fc.constantFrom(...PORTS),
        vesselImo: fc.constantFrom(...vessels),
        vesselName: fc.constantFrom("Dawn", "DAWN", "DUSK", null),
        day: fc.integer({ min: 0, max: 90 }),
        hours: fc.constantFrom(6, 24, 48),
        missing: fc.constantFrom("none", "none", "none", "arrival", "departure"),
        isLeaving: fc.constantFrom(true, true, true, false),
      }),
      { minLength: least, maxLength: 2 * least },
    )
    .map((calls) =>
      calls.map(({ day, hours, missing, ...call }, nth): CallPoint => {
        // No two at one moment: which of equal ones is taken does not matter.
        const arrivalMs = START_MS + day * DAY_MS + nth * 60_000;
        return {
          ...call,
          id: `01890000-0000-7000-8000-${String(nth).padStart(12, "0")}`,
          arrivalMs: missing === "arrival" ? null : arrivalMs,
          departureMs: missing === "departure" ? null : arrivalMs + hours * HOUR_MS,
        };
      }),
    );

/** Every way, each leg by the rule of {@link createLegs}, and only then the best of each departure. */
function searchedOut(points: readonly CallPoint[], rules: ConnectionRules): readonly string[] {
  const { from: legsFrom } = runToEnd(createLegs(points, createEffort(Number.POSITIVE_INFINITY)));
  return points.flatMap((begin) => {
    if (begin.port !== "CNSHA" || begin.departureMs === null || !begin.isLeaving) return [];
    const ways: { readonly ids: readonly string[]; readonly arrivalMs: number; readonly legs: number }[] = [];
    const go = (at: CallPoint, path: readonly CallPoint[], vessels: readonly CallPoint[]): void => {
      for (const { to, arrivalMs } of legsFrom(at)) {
        const ids = [...path, at, to].map(({ id }) => id);
        const legs = vessels.length + 1;
        if (to.port === rules.destination) {
          if (legs > 1) ways.push({ ids, arrivalMs, legs });
          continue;
        }
        if (legs > rules.transshipmentsMax || to.port === "CNSHA") continue;
        for (const next of points) {
          if (next.carrier !== to.carrier || next.port !== to.port || next.departureMs === null) continue;
          const waitMs = next.departureMs - arrivalMs;
          if (waitMs < rules.waitMsMin || waitMs > rules.waitMsMax) continue;
          if ([...vessels, at].some((one) => isOneVessel(one, next))) continue;
          go(next, [...path, at, to], [...vessels, at]);
        }
      }
    };
    go(begin, [], []);
    const best = (legs: number) =>
      ways.filter((way) => way.legs === legs).toSorted((one, other) => one.arrivalMs - other.arrivalMs)[0];
    const [one, two] = [best(2), best(3)];
    return [
      ...(one === undefined ? [] : [`${begin.id} 2 ${one.arrivalMs}`]),
      ...(two === undefined || (one !== undefined && one.arrivalMs <= two.arrivalMs)
        ? []
        : [`${begin.id} 3 ${two.arrivalMs}`]),
    ];
  });
}

const ofCarrier = ({ carrier }: CallPoint): string => carrier;

/** The calls that the store lists between. */
function withoutUseless(points: readonly CallPoint[], { ports, fromMs, beforeMs }: Between) {
  return points.filter(
    ({ port, arrivalMs, departureMs }) =>
      ports.includes(port) &&
      (departureMs ?? arrivalMs ?? 0) >= fromMs &&
      (arrivalMs ?? departureMs ?? 0) < beforeMs,
  );
}

function isOneVessel(one: CallPoint, other: CallPoint): boolean {
  return one.vesselImo !== null && other.vesselImo !== null
    ? one.vesselImo === other.vesselImo
    : one.service === other.service && one.voyage === other.voyage;
}

for (const [which, calls, vessels] of [
  ["few, and some without a number", 30, VESSELS],
  ["many, and some without a number", 50, [...NUMBERED, null, null]],
  ["all with a number", 90, NUMBERED],
  ["all without a number", 40, [null]],
] as const) {
  test(`of each departure the first to arrive is found, with one transshipment and with two: vessels, ${which}`, () => {
    let found = 0;
    forAll(
      { numRuns: runs(300), seed: 16 },
      callPoints(calls, vessels),
      fc.constantFrom(1, 2),
      (points, transshipmentsMax) => {
        const rules = { destination: "NLRTM", transshipmentsMax, waitMsMin: DAY_MS, waitMsMax: 30 * DAY_MS };
        const departures = points.filter(
          ({ port, departureMs, isLeaving }) => port === "CNSHA" && departureMs !== null && isLeaving,
        );
        const effort = createEffort(Number.POSITIVE_INFINITY);
        const ends = runToEnd(findEnds(points, departures, rules, effort));
        const ones = runToEnd(joinOnce(ends, rules, ofCarrier, effort));
        const useful = transshipmentsMax < 2 ? null : runToEnd(usefulBetween(ends, ones, rules));
        const twos =
          useful === null
            ? new Map<string, Journey>()
            : runToEnd(joinTwice(withoutUseless(points, useful), ends, ones, rules, ofCarrier, effort));
        const journeys = [...ones.values(), ...twos.values()];
        const shown = journeys.map((legs) => `${legs[0]!.from.id} ${legs.length} ${legs.at(-1)!.arrivalMs}`);
        found += shown.length;
        assert.deepEqual(shown.toSorted(), searchedOut(points, rules).toSorted());
      },
    );
    assert.ok(found > 10, `${found} connections`);
  });
}

/** As many calls as one search reads: 100 vessels go from one to the next of 60 ports. */
function denseTrade(everyMs: number): readonly CallPoint[] {
  return Array.from({ length: 19_000 }, (_, nth) => {
    const [vessel, call] = [nth % 100, Math.floor(nth / 100)];
    const arrivalMs = START_MS + call * everyMs + vessel * 60_000;
    return {
      id: String(nth),
      carrier: "HRNL",
      service: "A",
      voyage: String(vessel),
      importVoyage: "",
      port: `XX${(vessel * 7 + call) % 60}`,
      vesselImo: String(9_000_000 + vessel),
      vesselName: null,
      arrivalMs,
      departureMs: arrivalMs + everyMs / 2,
      isLeaving: true,
    };
  });
}

/** Steps of a search for two transshipments, and whether they were enough. */
async function effortFor(points: readonly CallPoint[], destination: string) {
  const rules = { destination, transshipmentsMax: 2, waitMsMin: DAY_MS, waitMsMax: 21 * DAY_MS };
  const departures = points
    .filter(({ port, arrivalMs }) => port === "XX0" && arrivalMs! < START_MS + 92 * DAY_MS)
    .slice(0, 300);
  const effort = createEffort(STEPS_MAX);
  const run = <Result>(work: SlicedWork<Result>) => runInSlicesWhile(effort.isLeft, work, realClock);
  const ends = await run(findEnds(points, departures, rules, effort));
  if (ends === "stopped") return { isEnough: false, steps: effort.spent(), found: 0 };
  const ones = await run(joinOnce(ends, rules, ofCarrier, effort));
  if (ones === "stopped") return { isEnough: false, steps: effort.spent(), found: 0 };
  const twos = await run(joinTwice(points, ends, ones, rules, ofCarrier, effort));
  if (twos === "stopped") return { isEnough: false, steps: effort.spent(), found: 0 };
  return { isEnough: true, steps: effort.spent(), found: ones.size + twos.size };
}

test("a trade of 100 vessels that call each day at one of 60 ports is searched within the steps of a search", async () => {
  const { isEnough, steps, found } = await effortFor(denseTrade(DAY_MS), "XX59");
  assert.ok(isEnough && found > 100, `${found} after ${steps} steps`);
});

test("a search stops soon after its steps are spent, however calls fit together", async () => {
  const { isEnough, steps } = await effortFor(denseTrade(4 * HOUR_MS), "XX59");
  assert.ok(!isEnough && steps < 1.1 * STEPS_MAX, `${steps} steps`);
});

describe("legs in memory", () => {
  let on: TestDatabase;
  before(async () => {
    on = await createTestDatabase({ cells: 1 });
  });
  after(() => on.drop());
  beforeEach(() => on.queryIn(on.productCells.of("schedules"), "truncate cell.port_calls"));

  test("are the sailings that the store lists", async () => {
    const cell = on.productCells.of("schedules");
    let found = 0;
    await fc.assert(
      fc
        .asyncProperty(callPoints(15), async (points) => {
          await on.queryIn(cell, INSERT, [JSON.stringify(points)]);
          const { from: legsFrom } = runToEnd(createLegs(points, createEffort(Number.POSITIVE_INFINITY)));
          const legs = points.flatMap((from) => legsFrom(from).map(({ to }) => `${from.id} ${to.id}`));
          const window = { fromMs: START_MS - DAY_MS, beforeMs: START_MS + 200 * DAY_MS };
          const listed: string[] = [];
          for (const origin of PORTS) {
            for (const destination of PORTS) {
              if (origin === destination) continue;
              const filter = { ...window, origin, destination, carrier: null, withCancelled: false };
              const sailings = await listSailings(on.database, cell, filter, null, null, 1_000);
              listed.push(...sailings.map(({ originId, destinationId }) => `${originId} ${destinationId}`));
            }
          }
          found += listed.length;
          assert.deepEqual(legs.toSorted(), listed.toSorted());
        })
        .afterEach(async () => void (await on.queryIn(cell, "truncate cell.port_calls"))),
      { numRuns: 20, seed: 16 },
    );
    assert.ok(found > 100, `${found} sailings`);
  });
});

const INSERT = `
  insert into cell.port_calls (
    id, carrier, service, voyage, import_voyage, port, nth, vessel_imo, vessel_name, status, arrival_at, departure_at,
    calls_at, record, updated_at
  )
  select
    (call ->> 'id')::uuid, call ->> 'carrier', call ->> 'service', call ->> 'voyage',
    case when call ->> 'importVoyage' = call ->> 'voyage' then '' else call ->> 'importVoyage' end,
    call ->> 'port', nth, call ->> 'vesselImo', call ->> 'vesselName',
    case when (call ->> 'isLeaving')::boolean then null else 'NDEP' end,
    to_timestamp((call ->> 'arrivalMs')::numeric / 1000), to_timestamp((call ->> 'departureMs')::numeric / 1000),
    to_timestamp(coalesce((call ->> 'departureMs')::numeric, (call ->> 'arrivalMs')::numeric, 0) / 1000), '{}',
    to_timestamp(0)
  from jsonb_array_elements($1::jsonb) with ordinality as given (call, nth)`;
