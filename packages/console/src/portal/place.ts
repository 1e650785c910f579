/** Where the portal is served: its scripts lie below its pages, which lie below the product's routes. */

import { NAMES, tagIn } from "../freight/product.tsx";

const own = new URL(import.meta.url);

/** Without a slash at its end, as all addresses here. */
export const PAGES = new URL("..", own).pathname.replace(/\/$/, "");
/** "" on a host name of the product's own. */
export const ROUTES = new URL("../..", own).pathname.replace(/\/$/, "");

const { product = "", title = "", header = "", name = "", version = "" } = document.documentElement.dataset;

/** What the service gives to install. */
export const PACKAGES = { at: new URL("../../packages", own).href, version } as const;

/** What the document says of its product. `header`: as in `X-<header>-Signature`. */
export const PRODUCT = { tag: product, title, header, name, initial: initialOf(name) } as const;

const tag = tagIn(product);

/** The product's own pages; null: it has none. */
export const FREIGHT =
  tag === null ? null : { tag, path: NAMES[tag].toLowerCase().replaceAll(" ", "-"), name: NAMES[tag] };

function initialOf(text: string): string {
  const [first] = new Intl.Segmenter().segment(text);
  return first?.segment ?? "";
}
