/** A product's changelog: announced to those who subscribe, and published to everybody. */
import type { Route } from "../../http/product.ts";
import type { Publication } from "./announcement.ts";
import { createAnnouncer } from "./announcer.ts";
import { loadChangelog } from "./changelog.ts";
import { changelogRoutes } from "./routes.ts";
import type { Product } from "../../model/product.ts";
import type { Settings } from "../../runtime/settings.ts";
import type { NodeContext } from "../../store/node-context.ts";

export type AnnouncementPorts = NodeContext & {
  readonly wakeBroadcaster: () => void;
};

export type Announcements = {
  /** The routes that publish the changelog. */
  readonly routes: Route;
  stop(): Promise<void>;
};

/** Every process announces, whatever its roles. `folder` holds the entries, whose ids no other product's have. */
export function startAnnouncements(
  { tag, versions }: Pick<Product, "tag" | "versions">,
  folder: string,
  settings: BaseUrlSettings,
  ports: AnnouncementPorts,
): Announcements {
  const changelog = loadChangelog(folder, versions);
  const publication: Publication = { product: tag, versions, baseUrl: baseUrlOf(tag, settings) };
  const announcer = createAnnouncer(ports, ports.cells, changelog, publication);
  announcer.start();
  return {
    routes: (app, context) => changelogRoutes(app, context, changelog, publication),
    stop: announcer.stop,
  };
}

export type BaseUrlSettings = Pick<Settings, "publicUrl" | "hosts" | "listen">;

/**
 * The base address of a product as clients know it. Deliveries name it, so that no request can be asked, and
 * every node must say the same: it is what is set, the product's host name, or where this process listens.
 */
export function baseUrlOf(tag: Product["tag"], { publicUrl, hosts, listen }: BaseUrlSettings): string {
  if (publicUrl !== null) return `${publicUrl}/${tag}`;
  const host = [...(hosts ?? [])].find(([, product]) => product === tag)?.[0];
  if (host !== undefined) return `https://${host}`;
  return `http://${listen.host.includes(":") ? `[${listen.host}]` : listen.host}:${listen.port}/${tag}`;
}
