import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";

import type { Listener } from "../listener.ts";
import type { ProductContext } from "../ports.ts";
import { limitByAddress } from "../rate-limit.ts";
import { documentOptions } from "./document.ts";

/** The reference page loads nothing from elsewhere. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `/openapi.json` and the reference page at `/docs`, from the schemas of the routes mounted after this. */
export async function mountDocumentation(app: Listener, context: ProductContext): Promise<void> {
  await app.register(swagger, documentOptions(context.product, app.prefix));
  let document: string | undefined;
  app.get(
    "/openapi.json",
    { schema: { hide: true }, onRequest: limitByAddress(context) },
    async (_request, reply) => {
      document ??= JSON.stringify(app.swagger());
      return reply.type("application/json").send(document);
    },
  );
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    staticCSP: PAGE_POLICY,
    theme: { title: context.product.title },
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
  });
}
