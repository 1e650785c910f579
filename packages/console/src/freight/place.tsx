/**
 * Where the pages of the products stand: in the operator's console under an account, and in the client's portal under
 * its product. They ask the same routes of the product, and link to each other, by what stands here.
 */
import type { Address, Api } from "@boathook/client";
import { createContext } from "preact";
import { useContext } from "preact/hooks";

import { clientOf } from "../ui/api.ts";
import { useData, type Data } from "../ui/data.tsx";
import { Link } from "../ui/route.tsx";

/** Of ocean tracking it is "tracking". */
export type Tag = "tracking" | "air" | "schedules" | "rates" | "loading";

export type ProductPlace = {
  /** What stands before a path of the product's document: `/tracking`, or `/v1/accounts/{id}/tracking`. */
  readonly routes: string;
  /** What stands before the address of a page: `/tracking/portal`, or `/console/accounts/{id}/tracking`. */
  readonly pages: string;
  /** The page that lists what was raised for a shipment, without the reference at its end. */
  readonly raised: string;
  /** The operator's pages read only; in the portal the client may change what is theirs. */
  readonly mayChange: boolean;
  /** Changes whenever there may be something new: pass it to `useData` and `usePages`. */
  readonly tick: unknown;
};

const Place = createContext<ProductPlace>({
  routes: "",
  pages: "",
  raised: "",
  mayChange: false,
  tick: null,
});

export const PlaceProvider = Place.Provider;

export function useProductPlace(): ProductPlace {
  return useContext(Place);
}

export function useClient<Product extends Api>() {
  return clientOf<Product>(useProductPlace().routes);
}

/** Leads to what was raised for what has this reference, and how it went. */
export function RaisedLink({ of }: { readonly of: string }) {
  return (
    <Link to={`${useProductPlace().raised}${encodeURIComponent(of)}`} class="button">
      What was raised
    </Link>
  );
}

/** Asks a route of the product, and again with each tick. */
export function useProduct<T>(address: Address<T>): Data<T> {
  return useData(address, useProductPlace().tick);
}
