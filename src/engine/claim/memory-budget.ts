import type { Clock } from "../../runtime/clock.ts";
import type { Cell } from "../../store/cell.ts";
import type { EngineSettings } from "../settings.ts";

/**
 * Bounds the deliveries in flight: from the moment they are raised or claimed until their result is written
 * or they are released. What does not fit waits in the database (docs/architecture.md, guarantee 9).
 *
 * Half of it is divided among the cells; the other half is free to all. So a cell whose results cannot be written, and
 * whose deliveries therefore stay, leaves the others their parts.
 */
export type MemoryBudget = Use & {
  readonly deliveriesMax: number;
  readonly bytesMax: number;
  /** What each cell is sure of. */
  part: { readonly deliveries: number; readonly bytes: number };
  cells: number;
  /** By cell. */
  readonly uses: Map<number, Use>;
  /** Used of the half that is free to all. */
  beyondParts: Part;
};

type Part = { deliveries: number; bytes: number };

type Use = Part & {
  /** Deliveries that running claims may bring. */
  reserved: number;
};

const DIVIDED_SHARE = 0.5;

export function createMemoryBudget(
  { memoryDeliveriesMax: deliveriesMax, memoryBytesMax: bytesMax }: EngineSettings,
  cells: number,
): MemoryBudget {
  const nothing = { deliveries: 0, bytes: 0 };
  const budget = { ...noUse(), deliveriesMax, bytesMax, part: nothing, cells: 0 };
  return divide({ ...budget, uses: new Map(), beyondParts: nothing }, cells);
}

/** A cell is added: the parts of the others become smaller, and what they use beyond them larger. */
export function addPart(budget: MemoryBudget): void {
  divide(budget, budget.cells + 1);
}

function divide(budget: MemoryBudget, cells: number): MemoryBudget {
  const part = {
    deliveries: Math.floor((budget.deliveriesMax * DIVIDED_SHARE) / cells),
    bytes: Math.floor((budget.bytesMax * DIVIDED_SHARE) / cells),
  };
  const beyondParts = { deliveries: 0, bytes: 0 };
  for (const use of budget.uses.values()) {
    const { deliveries, bytes } = beyondPart(use, part);
    beyondParts.deliveries += deliveries;
    beyondParts.bytes += bytes;
  }
  return Object.assign(budget, { part, cells, beyondParts });
}

function beyondPart(use: Use, part: Readonly<Part>): Part {
  return {
    deliveries: Math.max(0, use.deliveries + use.reserved - part.deliveries),
    bytes: Math.max(0, use.bytes - part.bytes),
  };
}

function noUse(): Use {
  return { deliveries: 0, bytes: 0, reserved: 0 };
}

function useOf({ uses }: MemoryBudget, cell: number): Use {
  const use = uses.get(cell) ?? noUse();
  uses.set(cell, use);
  return use;
}

/** Deliveries of a cell that still fit, none once the bytes are used up. */
export function freeCapacity(budget: MemoryBudget, cell: number): number {
  const { deliveriesMax, bytesMax, part, cells, beyondParts } = budget;
  const { bytes } = useOf(budget, cell);
  if (bytes >= part.bytes && beyondParts.bytes >= bytesMax - cells * part.bytes) return 0;
  // Below zero where a cell was added while others used what is its part now.
  return Math.max(
    0,
    freePart(budget, cell) + deliveriesMax - cells * part.deliveries - beyondParts.deliveries,
  );
}

function freePart(budget: MemoryBudget, cell: number): number {
  const { deliveries, reserved } = useOf(budget, cell);
  return Math.max(0, budget.part.deliveries - deliveries - reserved);
}

/** Whether more than this share is free to a cell: of all, or of its part. */
export function isShareFree(budget: MemoryBudget, cell: number, share: number): boolean {
  const free = freeCapacity(budget, cell);
  return (
    free > budget.deliveriesMax * share ||
    Math.min(free, freePart(budget, cell)) > budget.part.deliveries * share
  );
}

/** Whether less than this share of all is free. */
export function isShort(
  { deliveries, bytes, reserved, deliveriesMax, bytesMax }: MemoryBudget,
  share: number,
): boolean {
  return bytes >= bytesMax || deliveriesMax - deliveries - reserved < deliveriesMax * share;
}

export function allocate(budget: MemoryBudget, cell: number, bytes: number): void {
  change(budget, cell, { deliveries: 1, bytes, reserved: 0 });
}

export function deallocate(budget: MemoryBudget, cell: number, bytes: number): void {
  change(budget, cell, { deliveries: -1, bytes: -bytes, reserved: 0 });
}

/** Capacity for what a claim may bring; negative: it has brought it. */
export function reserve(budget: MemoryBudget, cell: number, reserved: number): void {
  change(budget, cell, { deliveries: 0, bytes: 0, reserved });
}

function change(budget: MemoryBudget, cell: number, by: Readonly<Use>): void {
  const { part, beyondParts } = budget;
  const use = useOf(budget, cell);
  const before = beyondPart(use, part);
  for (const one of [use, budget]) {
    one.deliveries += by.deliveries;
    one.bytes += by.bytes;
    one.reserved += by.reserved;
  }
  const after = beyondPart(use, part);
  beyondParts.deliveries += after.deliveries - before.deliveries;
  beyondParts.bytes += after.bytes - before.bytes;
}

/** The share of the memory budget that must be free to a cell for raising to go on without a pause. */
export const FREE_SHARE = 0.1;

/** Delays raising in a cell, for a bounded time, while it has almost no capacity (`isEnough`: it has). */
export function createBackpressure(
  { capacityWaitMsMax }: Pick<EngineSettings, "capacityWaitMsMax">,
  clock: Pick<Clock, "after">,
  isEnough: (cell: Cell) => boolean,
) {
  const waiting = new Map<() => void, Cell>();
  return {
    wait(cell: Cell): Promise<void> {
      if (isEnough(cell)) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.set(resolve, cell);
        clock.after(capacityWaitMsMax, () => {
          waiting.delete(resolve);
          resolve();
        });
      });
    },
    /** Cells may have free capacity again. */
    capacityFreed(): void {
      for (const [resolve, cell] of waiting) {
        if (!isEnough(cell)) continue;
        waiting.delete(resolve);
        resolve();
      }
    },
  };
}
