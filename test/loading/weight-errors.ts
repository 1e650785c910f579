/** What is wrong with what a container says of its weights: worked out from the places of its pieces. */
import type { ContainerView } from "../../src/products/loading/plan/plan-schema.ts";
import type { ContainerChoiceView, RequestView } from "../../src/products/loading/request/request-schema.ts";

type Mass = {
  readonly kg: number;
  readonly from: number;
  readonly to: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
};

function massesOf({ placements }: ContainerView, request: RequestView): readonly Mass[] {
  const weights = new Map(request.cargo.map(({ id, weight_kg }) => [id, weight_kg]));
  return placements.map((one) => ({
    kg: weights.get(one.cargo)!,
    from: one.x_mm,
    to: one.x_mm + one.length_mm,
    x: one.x_mm + one.length_mm / 2,
    y: one.y_mm + one.width_mm / 2,
    z: one.z_mm + one.height_mm / 2,
  }));
}

function kgBetween(masses: readonly Mass[], from: number, to: number): number {
  return masses.reduce((sum, one) => {
    const part = Math.min(to, one.to) - Math.max(from, one.from);
    return part > 0 ? sum + (one.kg * part) / (one.to - one.from) : sum;
  }, 0);
}

/** A metre with the most on it begins or ends where a piece does. */
function mostOnAnyMetre(masses: readonly Mass[]): number {
  const edges = [...new Set(masses.flatMap(({ from, to }) => [from, to]))];
  const starts = edges.flatMap((edge) => [edge, edge - 1_000]);
  return starts.reduce((most, from) => Math.max(most, kgBetween(masses, from, from + 1_000)), 0);
}

/** Each group by the moments about the other support. */
function axleLoads(masses: readonly Mass[], choice: ContainerChoiceView, { vehicle }: RequestView) {
  if (vehicle === null) return [];
  const tare = { kg: choice.tare_kg ?? 0, x: choice.length_mm / 2 };
  const pull = (loads: readonly { kg: number; x: number }[], about: number, at: number) =>
    loads.reduce((sum, one) => sum + (one.kg * (one.x - about)) / (at - about), 0);
  const [front, rear, trailer] = vehicle.axle_groups.map((one) => one.position_mm);
  const cargo = [...masses, tare];
  const kingpin = vehicle.kingpin_mm;
  const onTractor =
    trailer === undefined || kingpin === null ? cargo : [{ kg: pull(cargo, trailer, kingpin), x: kingpin }];
  const shares = [pull(onTractor, rear!, front!), pull(onTractor, front!, rear!)];
  if (trailer !== undefined) shares.push(pull(cargo, kingpin!, trailer));
  return vehicle.axle_groups.map(
    ({ name, tare_kg: own, max_kg: most }, at) => [`axle_load_kg ${name}`, own + shares[at]!, most] as const,
  );
}

export function errorsOfWeights(
  container: ContainerView,
  choice: ContainerChoiceView,
  request: RequestView,
): readonly string[] {
  const masses = massesOf(container, request);
  const kg = masses.reduce((sum, one) => sum + one.kg, 0);
  const errors: string[] = [];
  const near = (what: string, is: number | undefined, should: number, by: number) => {
    if (is === undefined || Math.abs(is - should) > by) errors.push(`${what} is ${is} instead of ${should}`);
  };
  for (const [at, metre] of container.load_per_metre_kg.entries())
    near(`metre ${at}`, metre, kgBetween(masses, at * 1_000, (at + 1) * 1_000), 0.001 * (masses.length + 1));
  near("metres", container.load_per_metre_kg.length, Math.ceil(choice.length_mm / 1_000), 0);
  const asked = new Map<string, readonly [value: number, max: number]>();
  if (kg > 0) {
    const middle = (of: (one: Mass) => number) => masses.reduce((sum, one) => sum + of(one) * one.kg, 0) / kg;
    const centre = { x: middle((one) => one.x), y: middle((one) => one.y), z: middle((one) => one.z) };
    for (const axis of ["x", "y", "z"] as const)
      near(`the centre's ${axis}`, container.centre_of_gravity_mm?.[axis], centre[axis], 0.51);
    if (request.max_off_centre !== null) {
      const { length, width } = request.max_off_centre;
      asked.set("off_centre_length", [Math.abs(centre.x / choice.length_mm - 0.5), length]);
      asked.set("off_centre_width", [Math.abs(centre.y / choice.width_mm - 0.5), width]);
    }
    if (choice.max_line_load_kg_m !== null)
      asked.set("line_load_kg_m", [mostOnAnyMetre(masses), choice.max_line_load_kg_m]);
  }
  for (const [name, load, max] of kg > 0 ? axleLoads(masses, choice, request) : [])
    asked.set(name, [load, max]);
  if (container.limits.length !== asked.size)
    errors.push(`${container.limits.length} limits of ${asked.size}`);
  for (const { axle_group: group, value, max, kept, ...one } of container.limits) {
    const limit = group === undefined ? one.limit : `${one.limit} ${group}`;
    const [should, most] = asked.get(limit) ?? [Number.NaN, Number.NaN];
    near(limit, value, should, 1e-4 + Math.abs(should) * 1e-6);
    near(`the most of ${limit}`, max, most, 1e-9);
    // Within what rounding may decide, either is right.
    if (Math.abs(should - most) > 1e-4 * most + 1e-8 && kept !== should < most)
      errors.push(`${limit} is ${should} of ${most}, and reported as ${kept ? "kept" : "broken"}`);
  }
  return errors;
}
