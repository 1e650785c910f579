/** What the pages say of a plan. */
import { count } from "../../ui/numbers.ts";
import type { Cargo, Container, LeftReason, Limit, ListedPlan, Plan } from "./answers.ts";
import { DECK_LINE } from "./palette.ts";
import type { Box, Piece, Step } from "./steps.ts";

const LETTERS = 26;
const share = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });
const decimal = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const precise = new Intl.NumberFormat(undefined, { maximumFractionDigits: 3 });

export const percent = (part: number): string => share.format(part);
export const millimetres = (mm: number): string => `${count(mm)} mm`;
export const kilograms = (kg: number): string => `${precise.format(kg)} kg`;
export const cubicMetres = (m3: number): string => `${decimal.format(m3)} m³`;

/** What stands on the pieces of a line: A to Z, AA, AB … */
export function markOf(line: number): string {
  if (line === DECK_LINE) return "";
  const last = String.fromCodePoint(65 + (line % LETTERS));
  return line < LETTERS ? last : `${markOf(Math.floor(line / LETTERS) - 1)}${last}`;
}

export function nameOf({ id, name }: Pick<ListedPlan, "id" | "name">): string {
  return name ?? `Plan ${id.slice(-6)}`;
}

/** As it lies; of a cylinder, its diameter and what is along its axis. */
export function sizeOf({ dx, dy, dz, axis }: Pick<Piece, "dx" | "dy" | "dz" | "axis">): string {
  if (axis !== undefined) {
    const [thick, long] = axis === "height" ? [dx, dz] : [dz, axis === "length" ? dx : dy];
    return `⌀ ${count(thick)} × ${count(long)} mm${axis === "height" ? "" : ", lying"}`;
  }
  return `${[dx, dy, dz].map(count).join(" × ")} mm`;
}

export const REASONS: Readonly<Record<LeftReason, string>> = {
  too_large: "Fits into none of the containers",
  door_too_small: "Would fit inside, but not through the door",
  too_heavy: "Heavier than each container that it fits into may carry",
  no_room: "No room or no payload is left",
  too_large_for_pallet: "Larger than the pallet allows",
  too_heavy_for_pallet: "Heavier than the pallet carries",
};

type Lines = readonly { readonly id: string }[];

/** What others wrote keeps its direction to itself. */
export const isolated = (text: string): string => `\u2068${text}\u2069`;

const named = (lines: Lines, line: number): string =>
  line === DECK_LINE ? "a pallet" : `${markOf(line)} (${isolated(lines[line]?.id ?? "?")})`;

/** "Place 12 of A (pallet) against the front wall …": a sentence. */
export function sentenceOf(step: Step, lines: Lines, room: Container): string {
  const { pallet } = step;
  if (pallet !== undefined) {
    const turned = pallet.turned ? ", its length across" : "";
    return `Place pallet ${count(pallet.number)} (build ${count(pallet.build)}) ${placeOf(step, lines, room)}${turned}.`;
  }
  return `Place ${count(step.to - step.from)} of ${named(lines, step.line)} ${placeOf(step, lines, room)}${gridOf(step)}.`;
}

export function placeOf(step: Step, lines: Lines, room: Container): string {
  const along = step.x === 0 ? "against the front wall" : `${millimetres(step.x)} behind the front wall`;
  const on =
    step.on.length === 0 ? "on the floor" : `on ${step.on.map((line) => named(lines, line)).join(", ")}`;
  return `${along}, ${acrossOf(step, room)}, ${on}`;
}

function acrossOf({ y, dy }: Box, { width_mm: width }: Container): string {
  const rest = width - y - dy;
  if (y < 0 && rest < 0) return "in the middle and beyond both sides";
  if (y === 0) return rest === 0 ? "from wall to wall" : "at the left wall";
  return rest === 0 ? "at the right wall" : `${millimetres(y)} from the left wall`;
}

function gridOf({ deep, wide, high }: Step): string {
  if (deep * wide * high === 1) return "";
  return `: ${deep} deep, ${wide} wide, ${high} high`;
}

const LIMITS: Readonly<Record<Limit["limit"], string>> = {
  off_centre_length: "Off the middle along",
  off_centre_width: "Off the middle across",
  line_load_kg_m: "Most on a metre",
  axle_load_kg: "Axles:",
};

/** Of the pieces of a step, where they are unloaded: a pallet has one stop. */
export function stopOf({ line, parts }: Step, lines: readonly Pick<Cargo, "stop">[]): number {
  return lines[parts[1]?.line ?? line]?.stop ?? 1;
}

/** What the plan was to keep, and how much of it is used. */
export function limitOf({
  limit,
  axle_group: axles,
  value,
  max,
}: Limit): readonly [name: string, words: string] {
  const shown = limit === "line_load_kg_m" || limit === "axle_load_kg" ? kilograms : percent;
  const name = axles === undefined ? LIMITS[limit] : `${LIMITS[limit]} ${axles}`;
  return [name, `${shown(value)} of ${shown(max)}`];
}

/** Its cargo is unloaded at several places. */
export function hasStops(lines: readonly Pick<Cargo, "stop">[]): boolean {
  return lines.some(({ stop }) => stop !== lines[0]?.stop);
}

/** What the loaders do with cylinders that lie; null: none does. */
export function wedgesOf({ placements }: Pick<Container, "placements">): string | null {
  const lying = placements.filter(({ cylinder_axis: axis = "height" }) => axis !== "height").length;
  if (lying === 0) return null;
  return lying === 1
    ? "One cylinder lies: wedge it against rolling."
    : `${count(lying)} cylinders lie: wedge them against rolling.`;
}

/** How cargo stands out of an open container; null: none does. */
export function gaugeOf({ out_of_gauge: gauge }: Pick<Container, "out_of_gauge">): string | null {
  if (gauge === null) return null;
  const ways = [
    [gauge.over_height_mm, "above the top"],
    [gauge.over_width_left_mm, "beyond the left side"],
    [gauge.over_width_right_mm, "beyond the right side"],
  ] as const;
  const far = ways.filter(([mm]) => mm > 0).map(([mm, where]) => `${millimetres(mm)} ${where}`);
  const pieces = gauge.pieces === 1 ? "One piece stands" : `${count(gauge.pieces)} pieces stand`;
  return `${pieces} out: ${far.join(", ")}.`;
}

/** What pallets are built on, and what each keeps to; null: none is built. */
export function palletOf({ pallet }: Plan["request"]): string | null {
  if (pallet === null) return null;
  const { type, length_mm: length, width_mm: width, height_mm_max: highest } = pallet;
  const high = highest === null ? "" : `, and at most ${millimetres(highest)} high with the deck`;
  return `On ${isolated(type)}, ${count(length)} × ${millimetres(width)}: at most ${kilograms(pallet.max_load_kg)} on each${high}.`;
}

/** The measures of a piece of a line, standing if it is a cylinder. */
export function measuresOf(line: Cargo): string {
  const { length_mm: dx, width_mm: dy, height_mm: dz, shape } = line;
  return sizeOf({ dx, dy, dz, ...(shape === "cylinder" ? { axis: "height" } : {}) });
}

/** What a line asks for beside its measures and its stop. */
export function asksOf({ lying, max_load_kg, layers_max }: Cargo): string {
  return [
    ...(lying ? ["may lie"] : []),
    ...(max_load_kg === null ? [] : [`bears ${kilograms(max_load_kg)}`]),
    ...(layers_max === null ? [] : [`${layers_max} layers`]),
  ].join(", ");
}

/** Beyond this part of the container's length or width, the load is off its middle (CTU Code, annex 7). */
const OFF_MIDDLE = 0.05;

export type Balance = {
  /** From the middle towards the door, to the right seen from the door, and up from half the height. */
  readonly along: number;
  readonly across: number;
  readonly up: number;
  readonly isOff: boolean;
  readonly words: readonly [along: string, across: string, up: string];
};

/** Null: the cargo weighs nothing. */
export function balanceOf(container: Container): Balance | null {
  const { centre_of_gravity_mm: centre, length_mm: length, width_mm: width, height_mm: height } = container;
  if (centre === null) return null;
  const [along, across, up] = [centre.x - length / 2, centre.y - width / 2, centre.z - height / 2];
  const isOff =
    Math.abs(along) > OFF_MIDDLE * length || Math.abs(across) > OFF_MIDDLE * width || centre.z > height / 2;
  const words = [
    offsetOf(along, length, "towards the door", "towards the front wall"),
    offsetOf(across, width, "to the right", "to the left"),
    offsetOf(up, height, "above half the height", "below half the height"),
  ] as const;
  return { along, across, up, isOff, words };
}

function offsetOf(offset: number, whole: number, more: string, less: string): string {
  if (Math.round(offset) === 0) return "in the middle";
  const way = offset > 0 ? more : less;
  return `${millimetres(Math.abs(offset))} ${way} (${percent(Math.abs(offset) / whole)})`;
}
