import type { IncomingMessage } from "node:http";

import type { Product } from "../model/product.ts";

/** Host names that stand for a product each: `tracking.example.com` for `/tracking`. */
export type HostMap = ReadonlyMap<string, Product["tag"]>;

/**
 * The path to route by: a product's own host name stands for its prefix. A request may name the whole URL, whose host
 * then wins over the header's (RFC 9112, 3.2.2).
 */
export function routedUrl(hosts: HostMap): (request: Pick<IncomingMessage, "url" | "headers">) => string {
  return ({ url = "/", headers }) => {
    const whole = url.startsWith("/") ? null : URL.parse(url);
    const path = whole === null ? url : whole.pathname + whole.search;
    const tag = hosts.get(hostIn(whole?.host ?? headers.host ?? ""));
    return tag === undefined ? path : `/${tag}${path}`;
  };
}

function hostIn(header: string): string {
  return header.toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");
}

export function productAt(products: readonly Product[], url: string): Product | undefined {
  return products.find(
    ({ tag }) => url === `/${tag}` || url.startsWith(`/${tag}/`) || url.startsWith(`/${tag}?`),
  );
}
