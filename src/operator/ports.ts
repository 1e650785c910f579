import type { Registry } from "prom-client";

import type { Engine } from "../engine/engine.ts";
import type { Listener } from "../http/listener.ts";
import type { Product } from "../model/product.ts";
import type { NodeContext } from "../store/node-context.ts";
import type { Gate } from "./gate.ts";

/** All that the operator's listener needs of the rest of the system. */
export type OperatorPorts = Omit<NodeContext, "loops"> & {
  readonly engine: Pick<Engine, "raise">;
  readonly products: readonly Product[];
  readonly operatorToken: string;
  /** The products' own; absent in a command. */
  readonly productRoutes?: readonly OperatorRoutes[];
  /** What Prometheus reads. */
  readonly metrics: Pick<Registry, "metrics" | "contentType">;
  /** Why the service cannot serve at the moment, by the name of what is in the way; empty when it can. */
  readonly notReady: () => Promise<Readonly<Record<string, string>>>;
  /** What requests pass that do more than watch. Absent in a command, which ends with its one request. */
  readonly gate?: Gate;
};

export type OperatorRoute = (app: Listener, ports: OperatorPorts) => void;

/** Routes of a product on the operator's listener. */
export type OperatorRoutes = {
  /** Mounted where the operator's token has been asked for. */
  readonly guarded?: readonly OperatorRoute[];
  /** Mounted where nobody is known: each asks for the token, or for a secret of its own. */
  readonly open?: readonly OperatorRoute[];
};
