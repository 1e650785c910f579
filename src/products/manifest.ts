/** What the service needs to know of a product. Nothing outside a product's folder knows more. */
import type { Registry } from "prom-client";

import type { LazyCommand, ResourceCommand } from "../cli/command.ts";
import type { Engine } from "../engine/engine.ts";
import type { WatchPolling } from "../freight/polling/polling-metrics.ts";
import type { ReferenceIndex } from "../freight/reference-index/reference-index.ts";
import type {
  ChangedCall,
  FindScheduledCalls,
  OnCallsChanged,
} from "../freight/scheduled-calls/scheduled-calls.ts";
import type { SourcesOfProduct } from "../freight/sources/description.ts";
import type { ShareQuota } from "../freight/upstream/quota-share.ts";
import type { OnUpstreamAnswer, OnUpstreamSkipped } from "../freight/upstream/upstream.ts";
import type { OnWork } from "../freight/work/wakes.ts";
import type { ProductRoutes } from "../http/product.ts";
import type { CheckEventData } from "../model/event-check.ts";
import type { Product } from "../model/product.ts";
import type { OnPushed, OperatorRoutes } from "../operator/ports.ts";
import type { Invalid } from "../runtime/config-file.ts";
import type { SettingGroup, SettingsOf } from "../runtime/setting.ts";
import type { Settings } from "../runtime/settings.ts";
import type { Cell } from "../store/cell.ts";
import type { Connection } from "../store/database.ts";
import type { ProductCells } from "../store/homes/product-cells.ts";
import type { NodeContext } from "../store/node-context.ts";
import type { MessageHandlers } from "../store/outbox/outbox.ts";
import type { FindTracked } from "../store/search/find.ts";

/**
 * A product: its catalogue, and whatever it has besides the routes of webhooks. A product that has nothing besides
 * is its catalogue alone. Every command loads all manifests: what does the work is imported when it is called.
 */
export type ProductManifest<
  Group extends SettingGroup = SettingGroup,
  Readers extends FileReaders = FileReaders,
> = Product & {
  /** Settings of its own. Products that share a setting share its key. */
  readonly settings: Group;
  /** How the files are read that settings of its own name, by the setting's key. */
  readonly files: Readers;
  /** Whom those files name, for the log. Names alone: the rest of an entry may be secret. */
  readonly upstreams?: (
    files: FilesOf<Readers>,
  ) => Readonly<Record<string, readonly string[] | string | null>>;
  /** The same and whatever else says something from outside, healthy or not, for the operator. */
  readonly sources?: (files: FilesOf<Readers>) => Promise<SourcesOfProduct>;
  readonly commands: readonly ProductCommand[];
  /** The folder of the changelog's entries, absolute. The service announces and publishes them with the versions. */
  readonly changelog?: string;
  /**
   * The folder of the product's own migrations, absolute: `cell/` and `directory/`, as the store's, and `record/`, of a
   * record that has a cell of its own.
   */
  readonly migrations?: string;
  /** Those of the tables in its `cell/` whose rows belong to accounts, and go with them. */
  readonly accountTables?: readonly string[];
  /** Finds what it tracks or keeps for accounts, by its id or as people call it. */
  readonly findTracked?: FindTracked;
  /** Provides calls at ports to the products that wait for some; null where it has none, by its files. */
  readonly scheduledCalls?: (files: FilesOf<Readers>) => FindScheduledCalls | null;
  /** Waits for calls at ports. */
  readonly onCallsChanged?: OnCallsChanged;
  /** Applies in each cell what the product writes to the outbox, by kinds of its own. */
  readonly messages?: () => Promise<MessageHandlers>;
  /** Routes on the operator's listener for which nothing has to run: commands ask them as well. */
  readonly operatorRoutes?: (files: () => Promise<FilesOf<Readers>>) => Promise<OperatorRoutes>;
  /** Registers its metrics, begins its work in the background, and gives its routes. */
  readonly start?: (
    context: ProductStart,
    settings: Settings & SettingsOf<Group>,
    files: FilesOf<Readers>,
  ) => Promise<RunningProduct>;
};

/** Commands that load the operator's data are listed before commands that only read. */
export type ProductCommand = (LazyCommand | ResourceCommand) & { readonly loads?: true };

export type FileReaders = Readonly<
  Record<string, (text: string) => Promise<{ readonly kind: string } | Invalid>>
>;

/** What the files hold; null where the setting names none. */
export type FilesOf<Readers extends FileReaders> = {
  readonly [Key in keyof Readers]: Exclude<Awaited<ReturnType<Readers[Key]>>, Invalid> | null;
};

export type ProductStart = NodeContext & {
  readonly productCells: ProductCells;
  /** Certificate authorities that the operator names besides the usual ones, PEM. */
  readonly authorities: readonly string[];
  /** Whether this process polls; its other work a product does in every process. */
  readonly polls: boolean;
  readonly engine: Pick<Engine, "raise" | "raiseWithin">;
  readonly check: CheckEventData;
  /** Messages have been written to the outbox, broadcasts among them, and the transaction has ended. */
  readonly wakeForwarder: () => void;
  /** Reports cells in which something may be due sooner than this node knows. */
  readonly onWork: OnWork;
  /** Reports cells in which something was written down that is to be reported. */
  readonly onReported: OnWork;
  readonly registry: Registry;
  /** Quotas of outside APIs hold for all nodes together. */
  readonly shareQuota: ShareQuota;
  readonly onUpstreamAnswer: OnUpstreamAnswer;
  readonly onUpstreamSkipped: OnUpstreamSkipped;
  readonly onPushed: OnPushed;
  readonly watchPolling: WatchPolling;
  /** Which cells track a reference. */
  readonly index: ReferenceIndex;
  /** Finds calls at ports; null where no product has any. */
  readonly scheduledCalls: FindScheduledCalls | null;
  /** Tells the products that wait for them of calls at ports, in the transaction that changes them. */
  readonly onCallsChanged: (
    tx: Connection,
    source: Cell,
    changes: readonly ChangedCall[],
    atMs: number,
  ) => Promise<void>;
};

export type RunningProduct = {
  readonly routes?: ProductRoutes;
  readonly operatorRoutes?: OperatorRoutes;
  /** Resolves when the product has finished its work, or after a bounded wait. */
  readonly stop?: () => Promise<void>;
};

/** The manifest of a product, checked against its own settings and files. */
export function defineProduct<Group extends SettingGroup = {}, Readers extends FileReaders = {}>(
  parts: Omit<ProductManifest<Group, Readers>, "settings" | "files" | "commands"> &
    Partial<Pick<ProductManifest<Group, Readers>, "settings" | "files" | "commands">>,
): ProductManifest {
  // The service hands a product the values of its own settings and files, so the narrower type is the true one.
  return { settings: {}, files: {}, commands: [], ...parts } as unknown as ProductManifest;
}
