import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";

import type { Listener } from "../http/listener.ts";
import { hoistTitled } from "../http/openapi/document.ts";
import { pageOptions } from "../http/openapi/mount.ts";
import type { Examples, Product } from "../model/product.ts";
import { operatorExamples } from "./examples.ts";
import { withShownRoutes } from "./shown-routes.ts";

const TITLE = "Boathook operator API";

/**
 * `/openapi.json` and the page at `/docs`, of the routes mounted after this. Like `GET /`, they need no token: they say
 * what there is, and nothing of what is in it.
 */
export function mountOperatorDocument(app: Listener, products: readonly Product[]): void {
  const own = operatorExamples(products);
  const examples = Object.assign({}, ...products.map((one) => one.examples), own) as Examples;

  void app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: TITLE, version: "1", description: "docs/operator-api.md says more of each route." },
      servers: [{ url: "." }],
      security: [{ bearer: [] }],
      components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
    },
    convertConstToEnum: false,
    stripBasePath: false,
    transformObject: (made) => {
      const document = "openapiObject" in made ? made.openapiObject : made.swaggerObject;
      return hoistTitled(withShownRoutes(document, examples));
    },
  });
  void app.register(async (scope: Listener) => {
    scope.get("/openapi.json", { schema: { hide: true } }, async () => app.swagger());
  });
  void app.register(swaggerUi, pageOptions(TITLE));
}
