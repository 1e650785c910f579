import type { MemoryBudget } from "./claim/memory-budget.ts";
import type { Dispatch } from "./dispatch/dispatch.ts";
import type { Invariants } from "./invariants.ts";
import type { Sessions } from "./membership/sessions.ts";
import type { Routes } from "./raise/routes.ts";
import type { EngineSettings } from "./settings.ts";
import type { DeliveryTraces } from "./traces.ts";
import type { ReferencesOf } from "../model/references.ts";
import type { Cell } from "../store/cell.ts";
import type { NodeContext } from "../store/node-context.ts";
import type { NodeDescription } from "../store/nodes/nodes.ts";

/** What the engines of all cells share. */
export type EngineContext = Pick<NodeContext, "database" | "clock" | "random" | "log" | "loops"> & {
  readonly settings: EngineSettings;
  readonly dispatch: Dispatch;
  readonly memoryBudget: MemoryBudget;
  readonly invariants: Invariants;
  readonly routes: Routes;
  readonly sessions: Sessions;
  /** What an event is found by. Absent: nothing. */
  readonly referencesOf?: ReferencesOf | undefined;
  /** What this node tells others of itself. */
  readonly description?: NodeDescription;
  /** False on a node that raises events and leaves sending to others. */
  readonly delivers: boolean;
  /** Work of the cell other than deliveries may be due: a node says so, or could not while this one was away. */
  readonly onWork?: ((cell: Cell) => void) | undefined;
  /** Called after failures have disabled an endpoint of the product. */
  readonly onDisabled?: ((product: string) => void) | undefined;
  /** An event was raised that no active endpoint subscribes to. */
  readonly onUnheard?: ((product: string) => void) | undefined;
  /** Called for each delivery of the product that has died while it was parked. */
  readonly onExpired?: ((product: string) => void) | undefined;
  /** The products that carry reports: what happens to their own endpoints is not reported. */
  readonly unreported?: readonly string[] | undefined;
  /** What has happened in the cell is written down, to be reported (store/reports/). */
  readonly onReported?: ((cell: Cell) => void) | undefined;
  readonly traces?: DeliveryTraces | undefined;
  /** Starts attempts at the end of the current turn of the event loop. */
  readonly pumpSoon: () => void;
  /** Resolves once the memory budget has free capacity for the cell, or after a bounded wait. */
  readonly waitForCapacity: (cell: Cell) => Promise<void>;
  /** The memory budget may have free capacity again. */
  readonly onCapacityFreed: () => void;
};
