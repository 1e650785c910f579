/**
 * The client's portal of a product, at `/{product}/portal`. Its addresses are relative: the product may lie under a
 * host name of its own, and behind a proxy under a prefix that nobody tells.
 */
import type { FastifyReply, FastifyRequest } from "fastify";

import {
  answerDocument,
  buildFolder,
  builtPages,
  escaped,
  mountAssets,
  NOTHING_HERE,
} from "../built-pages.ts";
import { refuse } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import type { ProductContext } from "../ports.ts";
import { limitByAddress } from "../rate-limit.ts";
import { thisBuild } from "../../runtime/build.ts";

export type PortalSettings = {
  readonly sessionMs: number;
  /** Origins whose pages may show the portal in a frame. */
  readonly frameAncestors: readonly string[];
  /** What stands in place of the product's title. */
  readonly name: string | null;
  /** `#rrggbb` */
  readonly color: string | null;
};

/** Deeper than any page is. */
const DEPTH_MAX = 16;

/** Nothing inline, nothing from elsewhere. */
function policyOf(frameAncestors: readonly string[]): string {
  const ancestors = frameAncestors.length === 0 ? "'none'" : frameAncestors.join(" ");
  return (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    `base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}; ` +
    "require-trusted-types-for 'script'; trusted-types 'none'"
  );
}

export async function mountPortal(
  app: Listener,
  context: Pick<ProductContext, "product" | "limits">,
  settings: PortalSettings,
  folder = buildFolder("portal"),
): Promise<void> {
  const { product } = context;
  const pages = builtPages(folder);
  const policy = policyOf(settings.frameAncestors);
  const facts = {
    product: product.tag,
    title: product.title,
    header: product.headerTag,
    name: settings.name ?? product.title,
    color: settings.color ?? "",
    version: thisBuild().version,
  };

  function document(request: FastifyRequest, reply: FastifyReply) {
    // As the browser has it: what stands before the product's path is unknown here.
    const [path = ""] = request.url.slice(app.prefix.length).split("?", 1);
    const depth = path.split("/").length - 2;
    if (depth > DEPTH_MAX) return refuse(reply, product, NOTHING_HERE);
    if (settings.frameAncestors.length > 0)
      reply.removeHeader("x-frame-options").header("cross-origin-resource-policy", "cross-origin");
    return answerDocument(reply, pages(), policy, (text) =>
      filledIn(text, `${"../".repeat(depth)}portal/assets`, facts),
    );
  }

  await app.register(async (scope: Listener) => {
    scope.addHook("onRequest", limitByAddress(context));
    for (const path of ["/portal", "/portal/*"])
      scope.get(path, { schema: { hide: true } }, async (request, reply) => document(request, reply));
    mountAssets(scope, "/portal", pages, (reply, refusal) => refuse(reply, product, refusal));
  });
}

function filledIn(document: string, assets: string, facts: Readonly<Record<string, string>>): string {
  const attributes = Object.entries(facts).map(([name, value]) => ` data-${name}="${escaped(value)}"`);
  return document.replaceAll("%assets%", assets).replace("%facts%", () => attributes.join(""));
}
