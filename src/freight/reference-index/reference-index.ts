/**
 * Which cells track a reference. The index is spread over the cells by the hash of the reference, so that a reader asks
 * one cell, and then the cells that it names.
 *
 *     complete ─(an entry cannot be written)─▶ incomplete ─(all cells read through: reindex.ts)─▶ complete
 *                                                  └─ readers ask all cells
 *
 * A writer adds an entry before the shipment has the reference: no shipment lacks one. An entry too many costs a
 * statement.
 */
import { StoreUnavailable } from "../../model/errors.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../runtime/durations.ts";
import { cellOfKey } from "../../store/cell-of-key.ts";
import type { Cell } from "../../store/cell.ts";
import { inCells, within } from "../../store/in-cells.ts";
import type { NodeContext } from "../../store/node-context.ts";
import type { IndexPart } from "./store/reference-index.ts";
import {
  indexPartList,
  indexPartMiss,
  referenceIndexAdd,
  referenceIndexFind,
} from "./store/reference-index.sql.ts";

export type ReferenceIndex = {
  /** Reads which cells there are, and which of their parts are complete. Rejects while the directory is silent. */
  refresh(): Promise<void>;
  /** The cells that may track one of these references: all while their parts are incomplete or do not answer. */
  cellsOf(product: string, references: readonly string[]): Promise<readonly Cell[]>;
  /**
   * Call it before a shipment of the cell gets these references. Rejects with `StoreUnavailable` if neither the index
   * nor the directory can be written.
   */
  add(cell: Cell, product: string, references: readonly string[]): Promise<void>;
  /** The cell that a reference falls to. Throws `StoreUnavailable` if this node does not know it yet. */
  cellOf(reference: string): Cell;
  /** The cells that it has fallen to since then, or is to fall to. */
  cellsSince(reference: string, sinceMs: number): readonly Cell[];
};

export type ReferenceIndexPorts = Pick<NodeContext, "database" | "clock"> & {
  readonly cells: readonly Cell[];
};

/** A part that takes longer is passed by. */
const PART_MS_MAX = SECOND_MS;
/** Clocks of nodes differ by less. */
const CLOCKS_DIFFER_MS_MAX = MINUTE_MS;
/** Remembered as indexed, and for how long: entries are verified far less often. */
const RECENT_KEYS_MAX = 50_000;
const RECENT_MS = DAY_MS;

type State = {
  readonly ports: ReferenceIndexPorts;
  parts: readonly IndexPart[];
  /** When this node added an entry, the oldest first. */
  readonly recent: Map<string, number>;
};

/** Until the first `refresh`, all references fall to the first cell, whose part is incomplete. */
export function createReferenceIndex(ports: ReferenceIndexPorts): ReferenceIndex {
  const { database, cells, clock } = ports;
  const state: State = { ports, parts: [], recent: new Map() };
  const isAlone = () => Math.max(cells.length, state.parts.length) === 1;
  const known = (numbers: readonly number[]) => numbers.flatMap((number) => cells[number] ?? []);
  return {
    async refresh() {
      const parts = await indexPartList(database, cells[0]!);
      // References fall to other cells.
      if (parts.length !== state.parts.length) state.recent.clear();
      state.parts = parts;
    },
    async cellsOf(product, references) {
      return isAlone() || references.length === 0 ? cells : findTracking(state, product, references);
    },
    async add(cell, product, references) {
      if (!isAlone()) await add(state, cell, product, references);
    },
    cellOf(reference) {
      const number = cellOfKey(reference, countAt(state.parts, clock.nowMs()));
      const cell = cells[number];
      if (cell === undefined) throw new StoreUnavailable(`cell ${number} is new, and not known here yet`);
      return cell;
    },
    cellsSince: (reference, sinceMs) => known(numbersSince(state.parts, reference, sinceMs)),
  };
}

/** Of how many cells the references are shared out at a time. Cells join in the order of their numbers. */
function countAt(parts: readonly IndexPart[], atMs: number): number {
  const later = parts.findIndex(
    ({ number, joinedAt }) => number > 0 && (joinedAt === null || joinedAt.getTime() > atMs),
  );
  return Math.max(1, later === -1 ? parts.length : later);
}

function numbersSince(parts: readonly IndexPart[], reference: string, sinceMs: number): readonly number[] {
  const counts = new Set([sinceMs, ...joinsAfter(parts, sinceMs)].map((atMs) => countAt(parts, atMs)));
  return [...new Set([...counts].map((count) => cellOfKey(reference, count)))];
}

function joinsAfter(parts: readonly IndexPart[], sinceMs: number): readonly number[] {
  return parts.flatMap(({ joinedAt }) => joinedAt?.getTime() ?? []).filter((joinMs) => joinMs > sinceMs);
}

async function findTracking(
  { ports: { database, cells, clock }, parts }: State,
  product: string,
  references: readonly string[],
): Promise<readonly Cell[]> {
  const count = countAt(parts, clock.nowMs());
  const byPart = Map.groupBy(references, (reference) => cellOfKey(reference, count));
  const isComplete = (number: number) => cells[number] !== undefined && parts[number]?.isComplete === true;
  if (![...byPart.keys()].every(isComplete)) return cells;
  const asked = cells.filter(({ number }) => byPart.has(number));
  const { answers, failures } = await inCells(clock, asked, PART_MS_MAX, (part) =>
    within(
      clock,
      PART_MS_MAX,
      referenceIndexFind(database, part, { product, references: byPart.get(part.number)! }),
    ),
  );
  if (failures.length > 0) return cells;
  const tracking = new Set(answers.flat().map(({ number }) => number));
  return cells.filter(({ number }) => tracking.has(number));
}

async function add(
  { ports: { database, cells, clock }, parts, recent }: State,
  cell: Cell,
  product: string,
  references: readonly string[],
): Promise<void> {
  const nowMs = clock.nowMs();
  const keyOf = (reference: string) => `${cell.number} ${product} ${reference}`;
  const added = references.filter((one) => nowMs - (recent.get(keyOf(one)) ?? -RECENT_MS) >= RECENT_MS);
  const placed = added.flatMap((reference) =>
    numbersSince(parts, reference, nowMs - CLOCKS_DIFFER_MS_MAX).map((part) => ({ part, reference })),
  );
  const missed = new Set<number>();
  const write = async ([number, keys]: readonly [number, typeof placed]): Promise<void> => {
    const entries = keys.map(({ reference }) => ({ product, reference, number: cell.number }));
    try {
      const part = cells[number];
      if (part === undefined) throw new StoreUnavailable(`cell ${number} is not known here yet`);
      await within(clock, PART_MS_MAX, referenceIndexAdd(database, part, { entries, at: nowMs }));
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable)) throw cause;
      await within(clock, PART_MS_MAX, indexPartMiss(database, cells[0]!, { number, at: nowMs }));
      missed.add(number);
    }
  };
  await Promise.all([...Map.groupBy(placed, ({ part }) => part)].map(write));
  if (missed.size > 0) return;
  for (const reference of added) remember(recent, keyOf(reference), nowMs);
}

function remember(recent: Map<string, number>, key: string, atMs: number): void {
  recent.delete(key);
  recent.set(key, atMs);
  const oldest = recent.size > RECENT_KEYS_MAX ? recent.keys().next().value : undefined;
  if (oldest !== undefined) recent.delete(oldest);
}
