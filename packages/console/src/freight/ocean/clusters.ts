/** Marks that would lie on each other are one. */
import type { Point } from "./geometry.ts";

export type Mark = {
  readonly key: string;
  readonly kind: "port" | "vessel";
  readonly at: Point;
  /** Degrees from north; null: unknown. */
  readonly course: number | null;
  /** Its place is reckoned from the times of its voyage. */
  readonly isEstimated: boolean;
  readonly name: string;
  /** What it stands for; 0: a place on the way. */
  readonly count: number;
};

export type Cluster = {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly marks: readonly Mark[];
  readonly count: number;
};

const APART_PX = 40;

/** In a grid of pixels, so that no map holds more marks than have room on it. */
export function clustersOf(
  marks: readonly Mark[],
  project: (at: Point) => readonly [number, number] | null,
  { width, height }: { readonly width: number; readonly height: number },
): readonly Cluster[] {
  const cells = new Map<string, { mark: Mark; x: number; y: number }[]>();
  for (const mark of marks) {
    const [x, y] = project(mark.at) ?? [-1, -1];
    if (x < 0 || y < 0 || x > width || y > height) continue;
    const cell = `${Math.floor(x / APART_PX)} ${Math.floor(y / APART_PX)}`;
    cells.set(cell, [...(cells.get(cell) ?? []), { mark, x, y }]);
  }
  return [...cells].map(([key, all]) => ({
    key: all.length === 1 ? all[0]!.mark.key : `cluster ${key}`,
    x: all.reduce((sum, one) => sum + one.x, 0) / all.length,
    y: all.reduce((sum, one) => sum + one.y, 0) / all.length,
    marks: all.map(({ mark }) => mark),
    count: all.reduce((sum, { mark }) => sum + mark.count, 0),
  }));
}

const NAME_LENGTH_MAX = 24;
const LETTER_PX = 6.6;
const LINE_PX = 16;

export function shortOf(name: string): string {
  return name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX - 1)}…` : name;
}

/**
 * By key of a single mark whose name has room, how far the name stands aside to be in sight, in pixels: names do not lie
 * on each other, nor on another mark.
 */
export function namedOf(clusters: readonly Cluster[], width: number): ReadonlyMap<string, number> {
  const taken: Area[] = clusters.map(({ x, y }) => ({
    left: x - 9,
    right: x + 9,
    top: y - 9,
    bottom: y + 9,
  }));
  const named = new Map<string, number>();
  for (const { key, x, y, marks, count } of clusters.toSorted((one, other) => other.count - one.count)) {
    const [only] = marks;
    if (only === undefined || (marks.length > 1 && count > 0)) continue;
    const half = (shortOf(only.name).length + (count > 1 ? 4 : 0)) * LETTER_PX * 0.5;
    const top = only.kind === "vessel" ? y + 11 : y - 26;
    const aside = Math.max(0, half - x) - Math.max(0, x + half - width);
    const area = { left: x + aside - half, right: x + aside + half, top, bottom: top + LINE_PX };
    if (taken.some((other) => overlap(area, other))) continue;
    taken.push(area);
    named.set(key, aside);
  }
  return named;
}

type Area = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };

function overlap(one: Area, other: Area): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
