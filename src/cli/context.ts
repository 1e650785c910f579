import type { AskOrThrow, Operator } from "@boathook/client";

import type { ProcessContext } from "../runtime/process-context.ts";
import type { Settings } from "../runtime/settings.ts";
import type { ProductCells } from "../store/homes/product-cells.ts";
import type { NodeContext } from "../store/node-context.ts";

/** 0: done. 1: it failed. 2: wrong usage or wrong settings. */
export type ExitStatus = 0 | 1 | 2;

export type CommandContext = ProcessContext & {
  /** What the process ends with when the command returns. */
  exitStatus: ExitStatus;
  /**
   * Opens the store as `serve` would, and starts the embedded PostgreSQL unless it runs. The store closes when the
   * command ends. Rejects with `CommandError` where the settings are wrong or there is no store.
   */
  open(options?: OpenOptions): Promise<OpenedStore>;
};

/**
 * A data folder or a database without a store is taken for the wrong one, unless `mayCreate` allows to make one there;
 * `embedded`: in a data folder only.
 */
export type OpenOptions = { readonly mayCreate?: boolean | "embedded" };

export type OpenedStore = Omit<NodeContext, "loops"> & {
  readonly productCells: ProductCells;
  readonly settings: Settings;
  /** The migrations that opening it ran. */
  readonly migrated: readonly string[];
  /** Takes up the cells that were added since. */
  readonly refreshHomes: () => Promise<void>;
  readonly ask: OperatorRequest;
};

/**
 * Asks a route of the operator's API in this process, so that the command checks, does and says what the route does.
 * Rejects with `CommandError` and the route's own message when the answer is not 2xx.
 */
export type OperatorRequest = AskOrThrow<Operator>;
