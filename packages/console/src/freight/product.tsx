/** The pages of one product, which are loaded when somebody first opens them. */
import type { ComponentType } from "preact";

import { useLoaded } from "../ui/data.tsx";
import { Note } from "../ui/parts.tsx";
import "./ocean/ocean.css";
import { PlaceProvider, type ProductPlace, type Tag } from "./place.tsx";

/** What follows the product in the address, part by part. */
type Props = { readonly rest: readonly string[] };

export const NAMES: Readonly<Record<Tag, string>> = {
  tracking: "Containers",
  air: "Air waybills",
  schedules: "Sailings",
  rates: "Rates",
  loading: "Load plans",
};

const LOADS: Readonly<Record<Tag, () => Promise<{ readonly Pages: ComponentType<Props> }>>> = {
  tracking: () => import("./ocean/pages.tsx"),
  air: () => import("./air/pages.tsx"),
  schedules: () => import("./schedules/pages.tsx"),
  rates: () => import("./rates/pages.tsx"),
  loading: () => import("./loading/pages.tsx"),
};

/** What a search finds of a product → the address of its page, behind that of the product's pages. */
export function pathOfShipment({
  product,
  id,
  title,
}: Readonly<Record<"id" | "title", string>> & { readonly product: string | null }): string {
  return product === "air" ? title : id;
}

export function tagIn(text: string): Tag | null {
  return Object.hasOwn(LOADS, text) ? (text as Tag) : null;
}

type ViewProps = Props & { readonly tag: Tag; readonly place: ProductPlace };

export function ProductView({ tag, rest, place }: ViewProps) {
  const loaded = useLoaded(async () => {
    const module = await LOADS[tag]().catch(() => null);
    return { tag, Pages: module?.Pages ?? null };
  }, [tag]);
  if (loaded?.tag !== tag) return <p class="loading">Loading…</p>;
  const { Pages } = loaded;
  if (Pages === null) return <Note kind="bad">These pages could not be loaded. Load the page again.</Note>;
  return (
    <PlaceProvider value={place}>
      <Pages rest={rest} />
    </PlaceProvider>
  );
}
