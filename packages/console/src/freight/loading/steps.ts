/**
 * The order in which a container is loaded: what lies below first, and what stands nearer to the front wall first, so
 * that each piece gets to its place from the door. Otherwise the pieces keep the order of the plan.
 *
 *     placements ─▶ stacks (a grid of like pieces) ─▶ rows of a stack ─▶ rows in loading order ─▶ steps
 */
import type { Pallet, Placement } from "./answers.ts";
import { DECK_LINE } from "./palette.ts";

/** The corner nearest to the front wall, the left wall and the floor, and the extents from there, in millimetres. */
export type Box = {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly dx: number;
  readonly dy: number;
  readonly dz: number;
};

export type Piece = Box & {
  /** The place of its cargo among the lines of the request. */
  readonly line: number;
  /** Of a cylinder: the extent that its axis lies along; height: it stands. */
  readonly axis?: Axle;
};

export type Axle = NonNullable<Placement["cylinder_axis"]>;

/** Like pieces that lie side by side and on top of each other. The box holds them all. */
export type Step = Box & {
  readonly line: number;
  /** One of its pieces. */
  readonly piece: Piece;
  readonly deep: number;
  readonly wide: number;
  readonly high: number;
  /** Its pieces are those from `from` to before `to` in loading order. */
  readonly from: number;
  readonly to: number;
  /** Lines of the pieces that it lies on; none: the floor. */
  readonly on: readonly number[];
  /** That is loaded with what stands on it: then the first of its pieces is the deck. */
  readonly pallet?: Pallet;
  /** Of a pallet. */
  readonly parts: readonly Piece[];
};

export type Loading = { readonly pieces: readonly Piece[]; readonly steps: readonly Step[] };

/** Where the pieces of a row lie in the plan; `deep` rows of one stack follow each other along the container. */
type Row = Box & {
  readonly stack: number;
  readonly pieces: readonly Piece[];
  readonly wide: number;
  readonly pallet?: Pallet;
};

export function loadingOf(
  placements: readonly Placement[],
  lines: readonly { readonly id: string }[],
  pallets: readonly Pallet[] = [],
): Loading {
  const lineOf = new Map(lines.map(({ id }, line) => [id, line]));
  const planned = placements.map((one) => pieceOf(one, lineOf.get(one.cargo) ?? 0));
  const first = new Map<number, number>();
  for (const [at, { pallet }] of placements.entries()) {
    if (pallet !== undefined && !first.has(pallet)) first.set(pallet, at);
  }
  const loose: Row[] = [];
  let from = 0;
  const takeUpTo = (to: number): void => {
    const own = planned.slice(from, to).filter((_, at) => placements[from + at]!.pallet === undefined);
    loose.push(...rowsOf(own, loose.length));
    from = to;
  };
  for (const pallet of pallets) {
    takeUpTo(first.get(pallet.number) ?? from);
    loose.push(palletRow(pallet, placements, planned, loose.length));
  }
  takeUpTo(planned.length);
  const rows = inOrder(inOrder(loose, [BELOW, BEHIND]), [BELOW]);
  const pieces = rows.flatMap((row) => row.pieces);
  return { pieces, steps: stepsOf(rows) };
}

type Extents = Omit<Placement, "cargo" | "pallet">;

function pieceOf(one: Extents, line: number): Piece {
  return {
    line,
    ...{ x: one.x_mm, y: one.y_mm, z: one.z_mm },
    ...{ dx: one.length_mm, dy: one.width_mm, dz: one.height_mm },
    ...(one.cylinder_axis === undefined ? {} : { axis: one.cylinder_axis }),
  };
}

/** The deck first, and then what stands on it. */
function palletRow(
  pallet: Pallet,
  placements: readonly Placement[],
  planned: readonly Piece[],
  stack: number,
): Row {
  const own = planned.filter((_, at) => placements[at]!.pallet === pallet.number);
  const { line: _line, ...box } = pieceOf(pallet, DECK_LINE);
  return { ...box, stack, pieces: [pieceOf(pallet.deck, DECK_LINE), ...own], wide: 1, pallet };
}

/** Grids of like pieces that follow each other in the plan, cut into rows across the container. */
function rowsOf(planned: readonly Piece[], stackFrom: number): readonly Row[] {
  const rows: Row[] = [];
  for (let from = 0, stack = stackFrom; from < planned.length; stack += 1) {
    const high = runOf(planned, from, 1, 1, "dz");
    const wide = runOf(planned, from, high, 1, "dy", high);
    const deep = runOf(planned, from, high * wide, 1, "dx", high, wide);
    const each = high * wide;
    for (let row = 0; row < deep; row += 1, from += each) {
      const pieces = planned.slice(from, from + each);
      const { x, y, z, dx, dy, dz } = pieces[0]!;
      rows.push({ stack, pieces, wide, x, y, z, dx, dy: dy * wide, dz: dz * high });
    }
  }
  return rows;
}

/** How often the block of `size` pieces from `from` on is repeated along one axis. */
function runOf(
  planned: readonly Piece[],
  from: number,
  size: number,
  least: number,
  along: "dx" | "dy" | "dz",
  high = 1,
  wide = 1,
): number {
  const first = planned[from]!;
  const isPlace = (at: number): boolean => {
    const one = planned[from + at];
    if (one === undefined) return false;
    const block = Math.floor(at / size);
    const within = at % size;
    return (
      one.line === first.line &&
      one.dx === first.dx &&
      one.dy === first.dy &&
      one.dz === first.dz &&
      one.x === first.x + (along === "dx" ? block * first.dx : 0) &&
      one.y === first.y + (along === "dy" ? block : Math.floor(within / high) % wide) * first.dy &&
      one.z === first.z + (along === "dz" ? block : within % high) * first.dz
    );
  };
  let times = least;
  while (Array.from({ length: size }, (_, at) => times * size + at).every(isPlace)) times += 1;
  return times;
}

type Axis = { readonly at: "x" | "y" | "z"; readonly extent: "dx" | "dy" | "dz" };

const X: Axis = { at: "x", extent: "dx" };
const Y: Axis = { at: "y", extent: "dy" };
const Z: Axis = { at: "z", extent: "dz" };

const meet = (one: Box, other: Box, { at, extent }: Axis): boolean =>
  one[at] < other[at] + other[extent] && other[at] < one[at] + one[extent];

/** What must come before another: what lies before it along one axis, and meets it along the other two. */
type Order = { readonly along: Axis; readonly across: Axis; readonly beside: Axis };

/** What lies under something, however far. */
const BELOW: Order = { along: Z, across: X, beside: Y };
/** What has something between itself and the door. */
const BEHIND: Order = { along: X, across: Y, beside: Z };

/** Of cylinders in staggered rows, the blocks around them overlap. */
function isStanding({ pieces }: Row): boolean {
  return pieces[0]!.axis === "height";
}

function comesBefore(one: Row, other: Row, { along, across, beside }: Order): boolean {
  const isStaggered = along === X && isStanding(one) && isStanding(other);
  return (
    one[along.at] + (isStaggered ? 1 : one[along.extent]) <= other[along.at] &&
    meet(one, other, across) &&
    meet(one, other, beside)
  );
}

/** Of a grid that lies across an order: rows are compared with those near them, not each with each. */
const CELLS = 32;

type Span = { readonly first: number; readonly last: number };

function spansOf(rows: readonly Row[], { at, extent }: Axis): readonly Span[] {
  const most = rows.reduce((found, row) => Math.max(found, row[at] + row[extent]), 1);
  // What stands out of an open container may begin before 0.
  const cellOf = (place: number): number =>
    Math.max(0, Math.min(CELLS - 1, Math.floor((place * CELLS) / most)));
  return rows.map((row) => ({ first: cellOf(row[at]), last: cellOf(row[at] + row[extent] - 1) }));
}

/** For the row of an index, the indices of the rows that must come before it; some of them twice. */
function earlierBy(rows: readonly Row[], order: Order): (row: number) => readonly number[] {
  const cells = Array.from({ length: CELLS * CELLS }, (): number[] => []);
  const across = spansOf(rows, order.across);
  const beside = spansOf(rows, order.beside);
  const visit = (row: number, see: (cell: number[]) => void): void => {
    const [one, other] = [across[row]!, beside[row]!];
    for (let u = one.first; u <= one.last; u += 1)
      for (let v = other.first; v <= other.last; v += 1) see(cells[u * CELLS + v]!);
  };
  for (const row of rows.keys()) visit(row, (cell) => cell.push(row));
  return (row) => {
    const found: number[] = [];
    const box = rows[row]!;
    visit(row, (cell) => {
      for (const one of cell) if (comesBefore(rows[one]!, box, order)) found.push(one);
    });
    return found;
  };
}

/**
 * The same, each after all that must come before it. Rows that wait for each other in a circle, which can only be
 * loaded by lifting one over another, keep their order. What lies below is never in a circle.
 */
function inOrder(rows: readonly Row[], orders: readonly Order[]): readonly Row[] {
  const earlier = orders.map((order) => earlierBy(rows, order));
  const ordered: Row[] = [];
  const seen = new Uint8Array(rows.length);
  for (const start of rows.keys()) {
    const waiting: { readonly at: number; readonly first: readonly number[]; next: number }[] = [];
    const wait = (at: number): void => {
      if (seen[at] === 1) return;
      seen[at] = 1;
      waiting.push({ at, first: earlier.flatMap((of) => of(at)), next: 0 });
    };
    wait(start);
    while (waiting.length > 0) {
      const top = waiting.at(-1)!;
      const next = top.first[top.next];
      top.next += 1;
      if (next !== undefined) wait(next);
      else {
        ordered.push(rows[top.at]!);
        waiting.pop();
      }
    }
  }
  return ordered;
}

/** Rows of one stack that follow each other are one step. */
function stepsOf(rows: readonly Row[]): readonly Step[] {
  const steps: Step[] = [];
  const below = earlierBy(rows, BELOW);
  let from = 0;
  for (let at = 0; at < rows.length;) {
    const first = rows[at]!;
    let deep = 1;
    while (isNextRow(first, rows[at + deep], deep)) deep += 1;
    const { x, y, z, dx, dy, dz, wide, pieces, pallet } = first;
    const to = from + deep * pieces.length;
    const box = { x, y, z, dx: dx * deep, dy, dz };
    const piece = pieces[0]!;
    const own = Array.from({ length: deep }, (_, row) => at + row);
    const under = own.flatMap(below).filter((row) => rows[row]!.z + rows[row]!.dz === z);
    const on = [...new Set(under.map((row) => rows[row]!.pieces[0]!.line))];
    const high = pallet === undefined ? pieces.length / wide : 1;
    const loaded = pallet === undefined ? { parts: [] } : { pallet, parts: pieces };
    steps.push({ ...box, line: piece.line, piece, deep, wide, high, from, to, on, ...loaded });
    at += deep;
    from = to;
  }
  return steps;
}

function isNextRow(first: Row, next: Row | undefined, deep: number): boolean {
  return (
    next !== undefined &&
    next.stack === first.stack &&
    next.pallet === undefined &&
    next.x === first.x + deep * first.dx
  );
}
