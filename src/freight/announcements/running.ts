/** A product's changelog: announced to subscribers and published to everybody. */
import type { Route } from "../../http/product.ts";
import type { Publication } from "./entry.ts";
import { createAnnouncer, type AnnouncerPorts } from "./announcer.ts";
import { loadChangelog } from "./changelog.ts";
import { changelogRoutes } from "./routes.ts";
import type { Product } from "../../model/product.ts";
import type { Settings } from "../../runtime/settings.ts";

/**
 * Every process announces, whatever its roles. `folder` holds the entries; no two products share an entry's id. The
 * `routes` publish the changelog.
 */
export function startAnnouncements(
  { tag, versions }: Pick<Product, "tag" | "versions">,
  folder: string,
  settings: BaseUrlSettings,
  ports: AnnouncerPorts,
): { readonly routes: Route; stop(): Promise<void> } {
  const changelog = loadChangelog(folder, versions);
  const publication: Publication = { product: tag, versions, baseUrl: baseUrlOf(tag, settings) };
  const announcer = createAnnouncer(ports, changelog, publication);
  announcer.start();
  return {
    routes: (app, context) => changelogRoutes(app, context, changelog, publication),
    stop: announcer.stop,
  };
}

export type BaseUrlSettings = Pick<Settings, "publicUrl" | "hosts" | "listen">;

/**
 * The base address of a product as clients know it: the setting, the product's host name, or this process's address.
 * Deliveries name it, so every node must find the same without a request to ask.
 */
export function baseUrlOf(tag: Product["tag"], { publicUrl, hosts, listen }: BaseUrlSettings): string {
  if (publicUrl !== null) return `${publicUrl}/${tag}`;
  const host = [...(hosts ?? [])].find(([, product]) => product === tag)?.[0];
  if (host !== undefined) return `https://${host}`;
  return `http://${listen.host.includes(":") ? `[${listen.host}]` : listen.host}:${listen.port}/${tag}`;
}
