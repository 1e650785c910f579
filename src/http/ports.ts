import type { Engine } from "../engine/engine.ts";
import type { MasterKeys } from "../engine/secret.ts";
import type { Product } from "../model/product.ts";
import type { DirectoryFeed } from "../store/accounts/directory-feed.ts";
import type { ProductCells } from "../store/homes/product-cells.ts";
import type { NodeContext } from "../store/node-context.ts";
import type { SearchedProduct } from "../store/search/find.ts";
import type { Callers } from "./callers.ts";
import type { ConnectionWatch } from "./connections.ts";
import type { OnAnswered } from "./listener.ts";
import type { Limiter, ShareUses } from "./limiter.ts";
import type { PortalTokens } from "./portal/tokens.ts";
import type { TraceRequests } from "./request-traces.ts";
import type { Streams } from "./streams.ts";

/** What the public listener works with. */
export type PublicPorts = Omit<NodeContext, "loops"> & {
  readonly productCells: ProductCells;
  readonly engine: Pick<Engine, "ping" | "endpointChanged">;
  readonly masterKeys: MasterKeys;
  readonly feed: DirectoryFeed;
  /** How long a delivery waits for an inactive endpoint. */
  readonly parkedMs: number;
  /** Whether an endpoint's URL can ever be delivered to, and why not. */
  readonly checkUrl: (url: string) => UrlVerdict;
  readonly onAnswered?: OnAnswered | undefined;
  readonly watchConnections?: ConnectionWatch | undefined;
  readonly traceRequests?: TraceRequests | undefined;
  /** Where several processes serve as one: how they share the limit of this name. */
  readonly shareUses?: ((limit: string) => ShareUses) | undefined;
};

export type UrlVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly blocked: boolean };

/** What the routes of one product work with. */
export type ProductContext = PublicPorts & {
  readonly product: Product & SearchedProduct;
  readonly callers: Callers;
  readonly limits: { readonly byKey: Limiter; readonly byAddress: Limiter };
  readonly streams: Streams;
  readonly portalTokens: PortalTokens;
};
