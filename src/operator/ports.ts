import type { Registry } from "prom-client";

import type { Engine } from "../engine/engine.ts";
import type { Product } from "../model/product.ts";
import type { FeedUpdate } from "../products/schedules/calls/call-statement.ts";
import type { Feed } from "../products/schedules/sources/feed-schema.ts";
import type { NodeContext } from "../store/node-context.ts";
import type { Gate } from "./gate.ts";

/** All that the operator's listener needs of the rest of the system. */
export type OpsPorts = Omit<NodeContext, "loops"> & {
  readonly engine: Pick<Engine, "raise">;
  readonly products: readonly Product[];
  readonly operatorToken: string;
  /** Hears of the air waybills, eleven digits each, that something new was pushed of; it must not throw. */
  readonly onAirMessages?: (awbs: readonly string[]) => void;
  /** Feeds of sailing schedules that may be pushed; absent where there is no schedules file. */
  readonly schedules?: PushedSchedules;
  /** Broadcasts have been added, and the transaction has ended. Absent in a command: nodes look by themselves. */
  readonly wakeBroadcaster?: () => void;
  /** What Prometheus reads. */
  readonly metrics: Pick<Registry, "metrics" | "contentType">;
  /** Why the service cannot serve at the moment, by the name of what is in the way; empty when it can. */
  readonly notReady: () => Promise<Readonly<Record<string, string>>>;
  /** What requests pass that do more than watch. Absent in a command, which ends with its one request. */
  readonly gate?: Gate;
};

export type PushedSchedules = {
  readonly feeds: readonly Feed[];
  /** Resolves when what was told is durable. */
  readonly ingest: (told: FeedUpdate) => Promise<void>;
};
