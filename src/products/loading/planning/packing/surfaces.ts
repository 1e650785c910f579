/**
 * Where cargo may stand: rectangles on the floor and on top of cargo, each as large as possible, so that they overlap.
 * These are the maximal spaces of Parreño and others (2008) in two dimensions: since every piece is supported over its
 * whole base, everything above a surface is free up to the roof.
 */
import type { Block } from "./block.ts";
import type { Room } from "./item.ts";

export type Surface = {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly z: number;
  /** No piece left fits on it; joined with a neighbour of the same height, it may. */
  readonly isExhausted: boolean;
};

/** Beyond this the smallest are dropped, which only wastes room. */
export const SURFACES_MAX = 400;

export function floorOf(room: Room): Surface {
  return { x0: 0, y0: 0, x1: room.length, y1: room.width, z: 0, isExhausted: false };
}

/** The surfaces left, and the new ones, after a block is placed at `x`, `y` on a surface of height `z`; none on one that is full. */
export function surfacesAfter(
  surfaces: readonly Surface[],
  block: Block,
  at: { readonly x: number; readonly y: number; readonly z: number },
  roof: number,
  isFull = false,
): readonly Surface[] {
  const base = { x0: at.x, y0: at.y, x1: at.x + block.dx, y1: at.y + block.dy };
  const kept: Surface[] = [];
  const cut: Surface[] = [];
  for (const surface of surfaces) {
    if (surface.z === at.z && overlap(surface, base)) cut.push(...remainders(surface, base));
    else kept.push(surface);
  }
  for (const part of cut) addSurface(kept, part);
  for (const leaf of block.leaves) {
    const z = at.z + leaf.z + leaf.nz * leaf.pose.dz;
    if (isFull || !leaf.isTop || z >= roof) continue;
    const x0 = at.x + leaf.x;
    const y0 = at.y + leaf.y;
    const top = {
      x0,
      y0,
      x1: x0 + leaf.nx * leaf.pose.dx,
      y1: y0 + leaf.ny * leaf.pose.dy,
      z,
      isExhausted: false,
    };
    addJoined(kept, top);
  }
  return kept.length <= SURFACES_MAX ? kept : largest(kept);
}

type Rectangle = Pick<Surface, "x0" | "y0" | "x1" | "y1">;

function overlap(a: Rectangle, b: Rectangle): boolean {
  return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

function remainders(surface: Surface, base: Rectangle): readonly Surface[] {
  const parts: Surface[] = [];
  if (base.x0 > surface.x0) parts.push({ ...surface, x1: base.x0 });
  if (base.x1 < surface.x1) parts.push({ ...surface, x0: base.x1 });
  if (base.y0 > surface.y0) parts.push({ ...surface, y1: base.y0 });
  if (base.y1 < surface.y1) parts.push({ ...surface, y0: base.y1 });
  return parts;
}

function contains(outer: Surface, inner: Surface): boolean {
  return (
    outer.z === inner.z &&
    outer.x0 <= inner.x0 &&
    outer.y0 <= inner.y0 &&
    outer.x1 >= inner.x1 &&
    outer.y1 >= inner.y1
  );
}

/** Adds a surface that no other contains, and removes the ones that it contains. False: another contains it. */
function addSurface(surfaces: Surface[], surface: Surface): boolean {
  let kept = 0;
  for (const other of surfaces) {
    if (contains(other, surface)) return false;
    if (!contains(surface, other)) surfaces[kept++] = other;
  }
  surfaces.length = kept;
  surfaces.push(surface);
  return true;
}

/** Joins tried for one new top; beyond this, room may be wasted. */
const JOINS_MAX = 300;

/** Adds a new top, and the surfaces that it forms with neighbours of the same height. */
function addJoined(surfaces: Surface[], top: Surface): void {
  const made: Surface[] = [top];
  let joins = 0;
  for (let next = made.pop(); next !== undefined; next = made.pop()) {
    const neighbours = surfaces.filter((other) => other.z === top.z);
    if (!addSurface(surfaces, next)) continue;
    for (const other of neighbours) {
      if (joins >= JOINS_MAX) break;
      joins += 1;
      made.push(...joinedWith(next, other));
    }
  }
}

function joinedWith(a: Surface, b: Surface): readonly Surface[] {
  const x0 = Math.max(a.x0, b.x0);
  const x1 = Math.min(a.x1, b.x1);
  const y0 = Math.max(a.y0, b.y0);
  const y1 = Math.min(a.y1, b.y1);
  const { z } = a;
  const joined: Surface[] = [];
  if (x0 <= x1 && y0 < y1) {
    joined.push({ x0: Math.min(a.x0, b.x0), x1: Math.max(a.x1, b.x1), y0, y1, z, isExhausted: false });
  }
  if (y0 <= y1 && x0 < x1) {
    joined.push({ x0, x1, y0: Math.min(a.y0, b.y0), y1: Math.max(a.y1, b.y1), z, isExhausted: false });
  }
  return joined;
}

function largest(surfaces: readonly Surface[]): readonly Surface[] {
  return surfaces
    .toSorted((a, b) => Number(a.isExhausted) - Number(b.isExhausted) || areaOf(b) - areaOf(a))
    .slice(0, SURFACES_MAX);
}

function areaOf({ x0, y0, x1, y1 }: Surface): number {
  return (x1 - x0) * (y1 - y0);
}
