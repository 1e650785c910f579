/** A load cut across the container where no piece is cut: sections can be moved, exchanged and mirrored as they are. */
import type { CargoLine } from "../../request/cargo.ts";
import { wholeOf, type Stack } from "../packing/item.ts";
import type { PlacedWeight } from "./limits.ts";

/** Pieces of one stack, across the container. */
export type Row = Stack & { readonly nx: 1; readonly stack: number };

export type Section = {
  /** From the section's own beginning. */
  readonly rows: readonly Row[];
  readonly length: number;
  readonly weightG: number;
  /** Where its weight acts, from its own beginning, and from the left wall. */
  readonly middle: number;
  readonly across: number;
};

export function weightOf(cargo: readonly CargoLine[], { item, pose, nx, ny, nz, x, y }: Stack): PlacedWeight {
  const weightG = nx * ny * nz * cargo[item]!.weightG;
  const left = pose.out?.left ?? 0;
  return { x, y: y - left, dx: nx * pose.dx, dy: ny * wholeOf(pose).dy, weightG };
}

/** From the front wall to the door, not empty, at most `sectionsMax`: then neighbours stay together. */
export function sectionsOf(
  cargo: readonly CargoLine[],
  stacks: readonly Stack[],
  sectionsMax: number,
): readonly Section[] {
  const rows = stacks.flatMap(rowsOf).toSorted((a, b) => a.x - b.x);
  const groups: { rows: Row[]; end: number }[] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    const end = row.x + row.pose.dx;
    if (last === undefined || row.x >= last.end) groups.push({ rows: [row], end });
    else {
      last.rows.push(row);
      last.end = Math.max(last.end, end);
    }
  }
  const each = Math.ceil(groups.length / sectionsMax);
  return Array.from({ length: Math.ceil(groups.length / each) }, (_, at) =>
    section(
      cargo,
      groups.slice(at * each, (at + 1) * each).flatMap((group) => group.rows),
    ),
  );
}

function rowsOf(of: Stack, stack: number): readonly Row[] {
  return Array.from({ length: of.nx }, (_, at) => ({ ...of, nx: 1, x: of.x + at * of.pose.dx, stack }));
}

/** Rows of one stack that follow each other are a stack again. */
export function stacksOfRows(rows: readonly Row[]): readonly Stack[] {
  const stacks: Stack[] = [];
  let last: Row | null = null;
  for (const row of rows.toSorted((a, b) => a.stack - b.stack || a.x - b.x)) {
    const { stack, ...own } = row;
    const before = stacks.at(-1);
    const follows =
      last?.stack === stack && before !== undefined && own.y === last.y && own.x === last.x + own.pose.dx;
    if (follows) stacks[stacks.length - 1] = { ...before, nx: before.nx + 1 };
    else stacks.push(own);
    last = row;
  }
  return stacks;
}

function section(cargo: readonly CargoLine[], rows: readonly Row[]): Section {
  const start = rows.reduce((least, { x }) => Math.min(least, x), Infinity);
  const end = rows.reduce((most, { x, pose }) => Math.max(most, x + pose.dx), 0);
  const weights = rows.map((row) => weightOf(cargo, row));
  const weightG = weights.reduce((sum, one) => sum + one.weightG, 0);
  const mean = (of: (one: PlacedWeight) => number) =>
    weightG === 0 ? 0 : weights.reduce((sum, one) => sum + of(one) * one.weightG, 0) / weightG;
  return {
    rows: rows.map((row) => ({ ...row, x: row.x - start })),
    length: end - start,
    weightG,
    middle: weightG === 0 ? (end - start) / 2 : mean(({ x, dx }) => x + dx / 2) - start,
    across: mean(({ y, dy }) => y + dy / 2),
  };
}

/** Front to back, as what is unloaded at once may be. */
export function turnedAround(one: Section): Section {
  const rows = one.rows.map((row) => ({ ...row, x: one.length - row.x - row.pose.dx }));
  return { ...one, rows, middle: one.length - one.middle };
}

/** Left to right. */
export function mirrored(one: Section, widthMm: number): Section {
  const rows = one.rows.map((row) => ({ ...row, y: widthMm - row.y - row.ny * row.pose.dy }));
  return { ...one, rows, across: widthMm - one.across };
}

/** To the right by `dy`, as far as the walls allow. */
export function movedAcross(one: Section, dy: number, widthMm: number): Section {
  const left = one.rows.reduce((least, { y }) => Math.min(least, y), widthMm);
  const right = widthMm - one.rows.reduce((most, { y, ny, pose }) => Math.max(most, y + ny * pose.dy), 0);
  const by = Math.max(-left, Math.min(right, dy));
  return by === 0
    ? one
    : { ...one, rows: one.rows.map((row) => ({ ...row, y: row.y + by })), across: one.across + by };
}
