/** Requests for load plans of any kind: boxes and drums, loose and on pallets, into containers open and closed. */
import fc from "fast-check";

import { OPEN_PARTS } from "../../src/products/loading/request/container-types.ts";
import type { SentRequest } from "../../src/products/loading/request/request-schema.ts";

/** Sheets and rods, and now and then the very measures of a container. */
const extent = (max: number) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max }) },
    fc.constantFrom(1, 2, max / 2, max, 2 * max),
  );
const within = (min: number, max: number) => fc.integer({ min, max });

const line = (most: readonly [length: number, width: number, height: number, kg: number]) =>
  fc.record({
    name: fc.option(fc.string({ unit: "binary", minLength: 1, maxLength: 20 })),
    length_mm: extent(most[0]),
    width_mm: extent(most[1]),
    height_mm: extent(most[2]),
    weight_kg: within(0, most[3] * 1_000).map((grams) => grams / 1_000),
    count: within(1, 35),
    stackable: fc.boolean(),
    max_load_kg: fc.option(within(0, 3 * most[3]), { freq: 2 }),
    layers_max: fc.option(within(1, 5), { freq: 2 }),
    stop: within(1, 3),
    upright: fc.uniqueArray(fc.constantFrom("length", "width", "height" as const), { minLength: 1 }),
    turnable: fc.boolean(),
    palletised: fc.boolean(),
  });

/** The same lines as drums, now and then. */
const cylinder = (most: Parameters<typeof line>[0]) =>
  fc.tuple(line(most), extent(most[1]), fc.boolean()).map(([one, diameter_mm, lying]) => {
    const { length_mm: _, width_mm: __, upright: ___, ...rest } = one;
    return { ...rest, shape: "cylinder" as const, diameter_mm, lying };
  });

const offered = fc
  .record({
    length_mm: within(300, 1_500),
    width_mm: within(200, 800),
    height_mm: within(200, 800),
    door_width_mm: within(100, 900),
    door_height_mm: within(100, 900),
    max_payload_kg: within(0, 2_000),
    count: fc.option(within(1, 3)),
    max_line_load_kg_m: fc.option(within(100, 3_000)),
    open: fc.subarray([...OPEN_PARTS]),
    max_over_height_mm: fc.option(within(0, 300)),
    max_over_width_mm: fc.option(within(0, 200)),
  })
  .map((own) => ({
    ...own,
    max_over_height_mm: own.open.includes("roof") ? own.max_over_height_mm : null,
    max_over_width_mm: own.open.includes("sides") ? own.max_over_width_mm : null,
    door_width_mm: Math.min(own.width_mm, own.door_width_mm),
    door_height_mm: Math.min(own.height_mm, own.door_height_mm),
  }));

const vehicle = fc
  .record({
    kingpin_mm: fc.option(within(-300, 700)),
    positions: fc.uniqueArray(within(-900, 900), { minLength: 2, maxLength: 2 }),
    kilos: fc.array(within(0, 4_000), { minLength: 6, maxLength: 6 }),
  })
  .map(({ kingpin_mm, positions, kilos }) => ({
    kingpin_mm,
    axle_groups: [...positions.toSorted((a, b) => a - b), ...(kingpin_mm === null ? [] : [1_000])].map(
      (position_mm, at) => ({ name: `axle ${at}`, position_mm, tare_kg: kilos[at]!, max_kg: kilos[at + 3]! }),
    ),
  }));

const offCentre = fc.record({
  length: fc.double({ min: 0, max: 0.5, noNaN: true }),
  width: fc.constantFrom(0, 0.02, 0.1),
});

const pallet = fc
  .record({
    length_mm: within(50, 500),
    width_mm: within(50, 400),
    height_mm: within(1, 60),
    tare_kg: within(0, 30),
    max_load_kg: within(0, 500),
    above: fc.option(within(1, 600)),
    overhang_mm: fc.constantFrom(0, 0, 10, 60),
    stackable: fc.boolean(),
  })
  .map(({ above, ...own }) => ({
    ...{ ...own, type: "own", height_mm_max: above === null ? null : own.height_mm + above },
  }));

function requestsOf(most: Parameters<typeof line>[0], onPallets: boolean): fc.Arbitrary<SentRequest> {
  const lines = fc.array(
    fc.oneof({ weight: 2, arbitrary: line(most) }, { weight: 1, arbitrary: cylinder(most) }),
    { minLength: 1, maxLength: 6 },
  );
  const named = lines.map((all) =>
    all.map(({ name, ...one }, at) => ({
      ...{ ...one, palletised: onPallets && (one.palletised || at === 0) },
      ...(name === null ? {} : { id: name + at }),
    })),
  );
  return fc.record({
    cargo: named,
    containers: fc
      .array(offered, { minLength: 1, maxLength: 3 })
      .map((all) => all.map((one, at) => ({ ...one, type: `own ${at}` }))),
    vehicle: fc.option(vehicle, { nil: null }),
    max_off_centre: fc.option(offCentre, { nil: null }),
    pallet: onPallets ? pallet : fc.constant(null),
  });
}

export const loose = requestsOf([900, 600, 500, 300], false);
export const palletised = requestsOf([400, 300, 300, 60], true);
