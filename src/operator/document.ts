import { join } from "node:path";

import swagger from "@fastify/swagger";

import type { Listener } from "../http/listener.ts";
import { hoistTitled } from "../http/openapi/document.ts";
import { mountDocument, mountReference } from "../http/openapi/mount.ts";
import { readExamples, withExamples } from "../http/openapi/examples.ts";
import { refuse } from "./errors.ts";
import { withShapes, withSharedRefusals } from "./shown-routes.ts";

const TITLE = "Boathook operator API";

/** `npm run docs:examples` writes it. */
export const EXAMPLES = join(import.meta.dirname, "examples.json");

/**
 * `/openapi.json` and the page at `/docs`, of the routes mounted after this. Like `GET /`, they need no token: they say
 * what there is, and nothing of what is in it.
 */
export function mountOperatorDocument(app: Listener): void {
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
      const kept = readExamples(EXAMPLES);
      const shown = withExamples(withShapes(document, kept), kept, (error) => ({ error }));
      return withSharedRefusals(hoistTitled(shown));
    },
  });
  void app.register(async (scope: Listener) => {
    mountDocument(scope, () => app.swagger());
    mountReference(scope, TITLE, refuse);
  });
}
