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
  /** Asks the operator's API: a running service's where the settings name one, else the routes in this process. */
  readonly ask: Ask;
};

export type ApiRequest = {
  readonly method: string;
  readonly url: string;
  /** Sent as JSON. */
  readonly body?: object;
  readonly content?: { readonly type: string; readonly bytes: Uint8Array };
};

/** `value`: the JSON of the answer; a text where it is none. */
export type ApiAnswer = { readonly status: number; readonly value: unknown };

/** Rejects with `CommandError` where nothing answers. */
export type Ask = (request: ApiRequest, options?: OpenOptions) => Promise<ApiAnswer>;

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
};
