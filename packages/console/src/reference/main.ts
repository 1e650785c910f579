/** The reference of a product, or of the operator's API: the document beside its page. */
import SwaggerUI from "@fastify/swagger-ui/static/swagger-ui-bundle.js";
import "@fastify/swagger-ui/static/index.css";
import "@fastify/swagger-ui/static/swagger-ui.css";

import "./reference.css";

SwaggerUI({
  dom_id: "#app",
  url: "../openapi.json",
  layout: "BaseLayout",
  deepLinking: true,
  tryItOutEnabled: true,
  // Nothing is asked of anybody else.
  validatorUrl: null,
});
