/**
 * Notifies this node of what changes in the directory, so that it may remember what it has read there.
 *
 *     unread ─read─▶ fresh ─(not read for a second)─▶ stale ─read─▶ fresh
 *                                                       └─(a read fails, or hangs)─▶ silent ─read─▶ fresh
 *
 * Fresh: whatever changed a second ago or earlier is known here. Silent: the directory does not answer.
 */
import { failureLevel, StoreUnavailable } from "../../model/errors.ts";
import { waitAtMost } from "../../runtime/cleanup.ts";
import { HOUR_MS, MINUTE_MS } from "../../runtime/durations.ts";
import { createInterval, repeat, type Interval, type IntervalPorts } from "../../runtime/interval.ts";
import type { NodeContext } from "../node-context.ts";
import { PORTAL_LINK_KEPT_MS } from "../../model/portal-link.ts";
import { pruneChanges, readChanges, type DirectoryChange } from "./changes.ts";
import { prunePortalLinks } from "./portal-links.ts";

export type DirectoryFeed = {
  /** The number of the last change that is known here. */
  number(): number;
  isFresh(): boolean;
  isSilent(): boolean;
  /** By the monotonic clock: what changed before is known here. */
  readAtMs(): number;
  /** `onChanges` must not throw; null: changes were missed, and anything may have changed. */
  subscribe(onChanges: (changes: readonly DirectoryChange[] | null) => void): void;
  /** Reads what is committed by now. A failure is logged, and the feed not fresh. */
  read(): Promise<void>;
  /** Nothing that was read before is remembered; until the feed is fresh, nothing is again. */
  forget(): void;
  /** Reads it again and again. */
  follow(ports: Pick<IntervalPorts, "loops">): Interval;
};

/** Twice in the time for which it is fresh. */
const READ_INTERVAL_MS = 500;
const FRESH_MS = 1_000;
/** A read hangs after so many waits of an interval: counted, for a process that was frozen has not waited. */
const WAITS_MAX = 4;

/** One after the other; what is left waits for the next read. */
const PAGES_MAX = 100;

const PRUNE_INTERVAL_MS = 10 * MINUTE_MS;
/** A node that has read nothing for so long forgets all. */
const CHANGES_KEPT_MS = HOUR_MS;
const PRUNE_STEPS_MAX = 100;

type Ports = Pick<NodeContext, "database" | "cells" | "clock" | "log">;

type State = {
  readonly ports: Ports;
  readonly subscribers: ((changes: readonly DirectoryChange[] | null) => void)[];
  number: number;
  readAtMs: number;
  /** Why the last read failed; null: it did not. */
  failure: { readonly isSilence: boolean } | null;
  isHanging: boolean;
  prunedAtMs: number;
};

/** Nothing is read until somebody calls `read` or `follow`. */
export function createDirectoryFeed(ports: Ports): DirectoryFeed {
  const { clock, log } = ports;
  const state: State = {
    ports,
    subscribers: [],
    number: -1,
    readAtMs: Number.NEGATIVE_INFINITY,
    failure: null,
    isHanging: false,
    prunedAtMs: clock.monotonicMs(),
  };
  let last: Promise<void> = Promise.resolve();
  // One after the other: an older answer never follows a newer one.
  const read = () => (last = last.then(() => readOnce(state)));
  const isFresh = () => clock.monotonicMs() - state.readAtMs < FRESH_MS;
  return {
    number: () => state.number,
    isFresh,
    isSilent: () => !isFresh() && (state.isHanging || state.failure?.isSilence === true),
    readAtMs: () => state.readAtMs,
    subscribe: (onChanges) => void state.subscribers.push(onChanges),
    read,
    forget() {
      for (const notify of state.subscribers) notify(null);
    },
    follow: ({ loops }) =>
      createInterval(
        { clock, loops },
        { name: "changes in the directory", everyMs: READ_INTERVAL_MS },
        async (isStopped) => {
          const reading = read();
          for (let waits = 1; !(await waitAtMost(clock, READ_INTERVAL_MS, reading)); waits += 1) {
            if (isStopped()) return;
            state.isHanging = waits >= WAITS_MAX;
          }
          state.isHanging = false;
          await prune(state, isStopped);
        },
        (cause) => log.warn({ err: cause }, "old rows of the directory could not be pruned"),
      ),
  };
}

async function readOnce(state: State): Promise<void> {
  const { database, cells, clock, log } = state.ports;
  try {
    for (let pages = 1; pages <= PAGES_MAX; pages += 1) {
      const startedMs = clock.monotonicMs();
      const { number, changes, hasMore } = await readChanges(database, cells[0], state.number);
      if (number !== state.number) for (const notify of state.subscribers) notify(changes);
      state.number = number;
      if (hasMore) continue;
      state.readAtMs = startedMs;
      break;
    }
    if (state.failure !== null) log.info({}, "changes in the directory can be read again");
    state.failure = null;
  } catch (cause) {
    if (state.failure === null) {
      log[failureLevel(cause)]({ err: cause }, "changes in the directory cannot be read");
    }
    // A refusal is an answer.
    state.failure = { isSilence: cause instanceof StoreUnavailable };
  }
}

async function prune(state: State, isStopped: () => boolean): Promise<void> {
  const { database, cells, clock } = state.ports;
  const monotonicMs = clock.monotonicMs();
  if (state.failure !== null || monotonicMs - state.prunedAtMs < PRUNE_INTERVAL_MS) return;
  state.prunedAtMs = monotonicMs;
  const nowMs = clock.nowMs();
  const [before, linksBefore] = [new Date(nowMs - CHANGES_KEPT_MS), new Date(nowMs - PORTAL_LINK_KEPT_MS)];
  await repeat(PRUNE_STEPS_MAX, isStopped, () => pruneChanges(database, cells[0], before));
  await repeat(PRUNE_STEPS_MAX, isStopped, () => prunePortalLinks(database, cells[0], linksBefore));
}
