import type { Registry } from "prom-client";

import type { Engine } from "../engine/engine.ts";
import type { Listener } from "../http/listener.ts";
import type { Product } from "../model/product.ts";
import type { ProductCells } from "../store/homes/product-cells.ts";
import type { NodeContext } from "../store/node-context.ts";
import type { Gate } from "./gate.ts";

export type Monitoring = {
  /** What Prometheus reads. */
  readonly metrics: Pick<Registry, "metrics" | "contentType">;
  readonly notReady: () => Promise<NotReady>;
};

export type NotReady = {
  /** Why the service cannot serve now, by the name of the check; empty when it can. */
  readonly checks: Readonly<Record<string, string>>;
  /** The same of each worker that cannot serve, by its number; absent: all can, or there are none. */
  readonly workers?: Readonly<Record<string, NotReady["checks"]>>;
};

/** What the operator's listener works with. */
export type OperatorPorts = Omit<NodeContext, "loops"> &
  Monitoring & {
    readonly productCells: ProductCells;
    readonly engine: Pick<Engine, "raise">;
    readonly products: readonly Product[];
    readonly operatorToken: string;
    readonly productRoutes?: readonly OperatorRoutes[];
    /** Why cells cannot be served, by name, while others can. */
    readonly illCells: () => Promise<ReadonlyMap<string, string>>;
    /** What is wrong with a service that serves, by the name of the check. */
    readonly degraded?: () => Readonly<Record<string, string>>;
    /** Reads what changed in the directory, so that it holds on this node at once. Absent in a command. */
    readonly catchUp?: () => Promise<void>;
    /** Messages have been written to the outbox, and the transaction has ended. Absent in a command: nodes find them. */
    readonly wakeForwarder?: () => void;
    /** Guards all routes but those for monitoring. Absent in a command, which ends with its one request. */
    readonly gate?: Gate;
  };

export type OperatorRoute = (app: Listener, ports: OperatorPorts) => void;

/** Routes of a product on the operator's listener. */
export type OperatorRoutes = {
  /** Mounted behind the operator's token. */
  readonly guarded?: readonly OperatorRoute[];
  /** Mounted without it: each checks the token, or a secret of its own. */
  readonly open?: readonly OperatorRoute[];
};
