import { readFileSync } from "node:fs";
import { join } from "node:path";

import swagger from "@fastify/swagger";
import swaggerUi, { type FastifySwaggerUiOptions } from "@fastify/swagger-ui";

import type { Listener } from "../listener.ts";
import type { ProductContext } from "../ports.ts";
import { limitByAddress } from "../rate-limit.ts";
import { documentOptions } from "./document.ts";
import { prebuild } from "./prebuilt.ts";

/** The reference page loads nothing from elsewhere. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What a browser asks for to show the reference. */
const PAGES: ReadonlySet<string> = new Set([
  "/openapi.json",
  "/docs/",
  "/docs/json",
  ...["index.css", "swagger-ui.css", "swagger-ui-bundle.js", "swagger-ui-standalone-preset.js"].map(inStatic),
  ...["swagger-initializer.js", "theme/reference.css", "favicon-32x32.png", "favicon-16x16.png"].map(
    inStatic,
  ),
]);

function inStatic(name: string): string {
  return `/docs/static/${name}`;
}

/** `/openapi.json` and the reference page at `/docs`, to which the base address leads, from the schemas of the routes mounted after this. */
export async function mountDocumentation(app: Listener, context: ProductContext): Promise<void> {
  await app.register(swagger, documentOptions(context.product, app.prefix));
  let document: string | undefined;
  await app.register(async (scope: Listener) => {
    scope.addHook("onRequest", limitByAddress(context));
    prebuild(scope, PAGES);
    // Relative, under a prefix or a host name of its own.
    scope.get("/", { schema: { hide: true } }, async ({ originalUrl }, reply) => {
      const [path = ""] = originalUrl.split("?", 1);
      return reply.redirect(path.endsWith("/") ? "docs/" : `${path.slice(path.lastIndexOf("/") + 1)}/docs/`);
    });
    scope.get("/openapi.json", { schema: { hide: true } }, async (_request, reply) => {
      document ??= JSON.stringify(app.swagger());
      return reply.type("application/json").send(document);
    });
    await scope.register(swaggerUi, pageOptions(context.product.title));
  });
}

const STYLE = readFileSync(join(import.meta.dirname, "reference.css"), "utf8");

/** The reference page of the document one level above it. */
export function pageOptions(title: string): FastifySwaggerUiOptions {
  return {
    routePrefix: "/docs",
    staticCSP: PAGE_POLICY,
    theme: { title, css: [{ filename: "reference.css", content: STYLE }] },
    uiConfig: { layout: "BaseLayout", tryItOutEnabled: true },
    // The page reads the document from one level below the base address.
    transformSpecification: (made) => ({ ...made, servers: [{ url: ".." }] }),
    // The page's own links are relative, and right only behind a slash.
    uiHooks: {
      onRequest(request, reply, next) {
        if (request.url.split("?", 1)[0]!.endsWith("/docs")) void reply.redirect("docs/");
        else next();
      },
    },
  };
}
