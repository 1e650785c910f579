import type { Engine } from "../engine/engine.ts";
import type { MasterKeys } from "../engine/secret.ts";
import type { Product } from "../model/product.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Random } from "../runtime/random.ts";
import type { Cell } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import type { Limiter } from "./limiter.ts";

/** All that the public listener needs of the rest of the system. */
export type PublicPorts = {
  readonly database: Database;
  readonly cells: readonly [Cell, ...Cell[]];
  readonly engine: Pick<Engine, "ping" | "endpointChanged">;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly masterKeys: MasterKeys;
  /** Whether an endpoint's URL can ever be delivered to, and why not. */
  readonly checkUrl: (url: string) => UrlVerdict;
};

export type UrlVerdict = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** What the routes of one product work with. */
export type ProductContext = PublicPorts & {
  readonly product: Product;
  readonly limits: { readonly byKey: Limiter; readonly byAddress: Limiter };
};
