import type { Cell } from "../../store/cell.ts";
import type { NodeContext } from "../../store/node-context.ts";
import type { NodeDescription } from "../../store/nodes/nodes.ts";
import type { Sessions } from "./sessions.ts";

/** What a membership works with. */
export type MembershipPorts = Pick<NodeContext, "database" | "clock" | "random" | "log"> & {
  readonly cell: Cell;
  readonly sessions: Sessions;
  /** What it tells others. */
  readonly description?: NodeDescription | undefined;
  /** The oldest delivery in flight that was raised here, null for none. */
  readonly oldestRaised: () => string | null;
  /** False while too many refused results are in memory: then the node sends nothing. */
  readonly canTakeResults: () => boolean;
  readonly onNotification: (payload: string) => void;
  /** The number of the cell's last change of an endpoint, at each heartbeat. */
  readonly onHeartbeat: (latestChange: number) => void;
  /**
   * Invalidations may have been missed: the connection was lost, or the lease had expired. Nothing is sent
   * until `caughtUp` is called.
   */
  readonly onReconnected: (caughtUp: () => void) => void;
  /** The node was replaced: it owns none of its deliveries any more. */
  readonly onReplaced: () => void;
  /** The deliveries of a dead node are in the queue table now. */
  readonly onTakeover: () => void;
};
