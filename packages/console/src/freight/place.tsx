/**
 * Where the pages of the products stand: in the operator's console under an account, and in the client's portal under
 * its product. They ask the same routes of the product, and link to each other, by what stands here.
 */
import type { Address, AnyProduct, Api } from "@boathook/client";
import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";

import { clientOf } from "../ui/api.ts";
import { useData, type Data } from "../ui/data.tsx";

/** Of ocean tracking it is "tracking". */
export type Tag = "tracking" | "air" | "schedules" | "rates" | "loading";

export type ProductPlace = {
  /** What stands before a path of the product's document: `/tracking`, or `/v1/accounts/{id}/tracking`. */
  readonly routes: string;
  /** What stands before the address of a page: `/tracking/portal`, or `/console/accounts/{id}/tracking`. */
  readonly pages: string;
  readonly to: RolePages;
  /** Whose pages they are, where the reader is somebody else. */
  readonly owner: ComponentChildren | null;
  /** The operator's pages read only; in the portal the client may change what is theirs. */
  readonly mayChange: boolean;
  /** Changes whenever there may be something new: pass it to `useData` and `usePages`. */
  readonly tick: unknown;
};

/** Addresses of the pages that a role has besides. */
type RolePages = {
  readonly endpoint: (id: string) => string;
  readonly delivery: (of: Pick<AnyProduct["schemas"]["DeliveryOfAccount"], "id" | "endpoint_id">) => string;
  /** Null: an event has none. */
  readonly event: ((id: string) => string) | null;
  /** The list of what was raised. */
  readonly raised: (reference: string) => string;
};

const Place = createContext<ProductPlace | null>(null);

export const PlaceProvider = Place.Provider;

export function useProductPlace(): ProductPlace {
  return useContext(Place)!;
}

export function useClient<Product extends Api>() {
  return clientOf<Product>(useProductPlace().routes);
}

/** Asks a route of the product, and again with each tick. */
export function useProduct<T>(address: Address<T>): Data<T> {
  return useData(address, useProductPlace().tick);
}
