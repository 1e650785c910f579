import type { Registry } from "prom-client";

import type { Engine } from "../engine/engine.ts";
import type { MasterKeys } from "../engine/secret.ts";
import type { Limiter } from "../http/limiter.ts";
import type { Listener, OnAnswered } from "../http/listener.ts";
import type { TraceRequests } from "../http/request-traces.ts";
import type { Product } from "../model/product.ts";
import type { SettingDescription } from "../runtime/configuration.ts";
import type { MigratedProduct } from "../store/migration-targets.ts";
import type { ProductCells } from "../store/homes/product-cells.ts";
import type { NodeContext } from "../store/node-context.ts";
import type { SearchedProduct } from "../store/search/find.ts";
import type { Range, Sample } from "./console/history.ts";
import type { Sessions } from "./console/session.ts";
import type { Gate } from "./gate.ts";
import type { TokenWarnings } from "./token-warnings.ts";

export type Monitoring = {
  /** What Prometheus reads. */
  readonly metrics: Pick<Registry, "metrics" | "contentType">;
  readonly notReady: () => Promise<NotReady>;
  /** What the service did of late. Absent in a command. */
  readonly history?: (range: Range) => Promise<readonly Sample[]>;
};

/** A source has pushed something; `source` names it as `GET /v1/sources` does. `problems`: what of it could not be read. */
export type OnPushed = (
  source: string,
  pushed: { readonly subject: string | null; readonly isRead: boolean; readonly problems: readonly string[] },
) => void;

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
    readonly engine: Pick<Engine, "raise" | "endpointChanged">;
    /** How long a delivery waits for an inactive endpoint. */
    readonly parkedMs: number;
    /** How long deliveries and events are kept. */
    readonly historyMs: number;
    /** Absent in a command. */
    readonly masterKeys?: MasterKeys;
    readonly products: readonly (Product & MigratedProduct & SearchedProduct)[];
    readonly operatorToken: string;
    /** Secrets masked. Absent in a command. */
    readonly described?: readonly SettingDescription[] | undefined;
    /** Names of the listener, besides addresses and names without a point. */
    readonly opsHosts?: readonly string[];
    /** Files and sockets that this process may have open. */
    readonly openFilesMax?: number;
    readonly productRoutes?: readonly OperatorRoutes[];
    /** Why cells cannot be served, by name, while others can. */
    readonly illCells: () => Promise<ReadonlyMap<string, string>>;
    /** What is wrong with a service that serves, by the name of the check. */
    readonly degraded?: () => Readonly<Record<string, string>>;
    /** Reads what changed in the directory, so that it holds on this node at once. Absent in a command. */
    readonly catchUp?: () => Promise<void>;
    /** Messages have been written to the outbox, and the transaction has ended. Absent in a command: nodes find them. */
    readonly wakeForwarder?: () => void;
    /** Absent in a command. */
    readonly onPushed?: OnPushed;
    /** In a command, which has a process of its own: bodies may be as large as files. */
    readonly takesFiles?: true;
    readonly onAnswered?: OnAnswered | undefined;
    readonly traceRequests?: TraceRequests | undefined;
    /** Guards all routes but those for monitoring. Absent in a command, which ends with its one request. */
    readonly gate?: Gate;
  };

/** What a route works with. */
export type OperatorContext = OperatorPorts & {
  /** Refused requests by address: wrong tokens and unknown paths. */
  readonly failures: Limiter;
  readonly tokenWarnings: TokenWarnings;
  readonly sessions: Sessions;
};

export type OperatorRoute = (app: Listener, ports: OperatorContext) => void;

/** Routes of a product on the operator's listener. */
export type OperatorRoutes = {
  /** Mounted behind the operator's token. */
  readonly guarded?: readonly OperatorRoute[];
  /** Mounted without it: each checks the token, or a secret of its own. */
  readonly open?: readonly OperatorRoute[];
};
