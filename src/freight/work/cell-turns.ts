/**
 * Which cells a loop of leased work asks for due jobs in a round, so that a hundred idle cells cost no more than a few.
 *
 *     unknown ─(its next due time is read)─▶ quiet ─(that time comes)─▶ due ─(jobs are claimed)─▶ busy
 *        ▲                                     │                         │                          │
 *        ├───(its turn, or another node's wake)┘                         │                          │
 *        └───(BUSY_MS without a job)────────────────────────────────────┴──────────────────────────┘
 *
 * Busy and due cells are asked in every round. A wake of this node makes a cell busy. Turns are the net underneath: they
 * find what a crash, a lost wake or another node left.
 */
import { SECOND_MS } from "../../runtime/durations.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Cell } from "../../store/cell.ts";

export type CellTurns = {
  /** The cells to ask in this round; each time another comes first, so that none takes all slots. */
  next(): readonly Cell[];
  /**
   * What is due in one of them, if anything is. `readNextDue` gives the time of the next job, leased ones included, by
   * the wall clock; null: there is none. Rejects as they do, and the cell is asked again in the next round.
   */
  ask<Job>(
    cell: Cell,
    readNextDue: () => Promise<number | null>,
    claim: () => Promise<readonly Job[]>,
  ): Promise<readonly Job[]>;
  /** This node has made something due: it is claimed in the next round. */
  wake(cell: Cell): void;
  /** Something in the cell may be due sooner than is known. */
  forget(cell: Cell): void;
  /** This node has written that a job is due at a time. */
  expect(cell: Cell, dueAtMs: number): void;
};

/** Every cell has its turn within this time. */
const TURNS_MS_MAX = 30 * SECOND_MS;
/** As long as that takes few turns a round, a cell has its turn within this time and within so many rounds. */
const SOON_MS = 5 * SECOND_MS;
const SOON_ROUNDS = 5;
const FEW_TURNS = 4;
/** A cell without jobs for so long is quiet: below it, asking for the next due time would cost more than it saves. */
const BUSY_MS = 5 * SECOND_MS;

type CellState = {
  isKnown: boolean;
  /** By the wall clock. */
  dueAtMs: number;
  /** By the monotonic clock. */
  readAtMs: number;
  busyUntilMs: number;
};

const UNKNOWN: CellState = {
  isKnown: false,
  dueAtMs: Number.POSITIVE_INFINITY,
  readAtMs: Number.NEGATIVE_INFINITY,
  busyUntilMs: Number.NEGATIVE_INFINITY,
};

type TurnsClock = Pick<Clock, "nowMs" | "monotonicMs">;

/** `everyMs`: between two rounds. */
export function createCellTurns(clock: TurnsClock, cells: readonly Cell[], everyMs: number): CellTurns {
  const states = new Map<Cell, CellState>();
  const stateOf = (cell: Cell): CellState => states.getOrInsertComputed(cell, () => ({ ...UNKNOWN }));
  const soonRounds = Math.max(1, Math.min(SOON_ROUNDS, SOON_MS / everyMs));
  /** Turns that are due, the last one in part. */
  let due = 0;
  let nextInTurn = 0;
  let first = 0;
  return {
    next() {
      due += Math.max(
        Math.min(cells.length / soonRounds, FEW_TURNS),
        (cells.length * everyMs) / TURNS_MS_MAX,
      );
      for (; due >= 1; due -= 1) {
        stateOf(cells[nextInTurn % cells.length]!).isKnown = false;
        nextInTurn = (nextInTurn + 1) % cells.length;
      }
      const inTurn = [...cells.slice(first), ...cells.slice(0, first)];
      first = (first + 1) % cells.length;
      return inTurn.filter((cell) => {
        const state = stateOf(cell);
        return !state.isKnown || isBusy(state, clock) || isDue(state, clock);
      });
    },
    async ask(cell, readNextDue, claim) {
      const state = stateOf(cell);
      const isOverdue = clock.monotonicMs() - state.readAtMs >= BUSY_MS;
      if (!isBusy(state, clock) && (!state.isKnown || isOverdue)) await readInto(state, clock, readNextDue);
      if (!isBusy(state, clock) && !isDue(state, clock)) return [];
      const jobs = await claim();
      if (jobs.length > 0) makeBusy(state, clock);
      return jobs;
    },
    wake: (cell) => makeBusy(stateOf(cell), clock),
    forget(cell) {
      stateOf(cell).isKnown = false;
    },
    expect(cell, dueAtMs) {
      const state = stateOf(cell);
      state.dueAtMs = Math.min(state.dueAtMs, dueAtMs);
    },
  };
}

function isBusy({ busyUntilMs }: CellState, clock: TurnsClock): boolean {
  return clock.monotonicMs() < busyUntilMs;
}

function isDue({ dueAtMs }: CellState, clock: TurnsClock): boolean {
  return dueAtMs <= clock.nowMs();
}

/** What the next due time is at its end, nobody knows. */
function makeBusy(state: CellState, clock: TurnsClock): void {
  state.busyUntilMs = clock.monotonicMs() + BUSY_MS;
  state.isKnown = false;
}

async function readInto(
  state: CellState,
  clock: TurnsClock,
  readNextDue: () => Promise<number | null>,
): Promise<void> {
  // Before the read: what is expected or forgotten while it runs counts.
  state.isKnown = true;
  state.dueAtMs = Number.POSITIVE_INFINITY;
  state.readAtMs = clock.monotonicMs();
  try {
    const dueAtMs = await readNextDue();
    state.dueAtMs = Math.min(state.dueAtMs, dueAtMs ?? Number.POSITIVE_INFINITY);
  } catch (cause) {
    state.isKnown = false;
    throw cause;
  }
}
