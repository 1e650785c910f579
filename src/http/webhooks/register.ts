import Type from "typebox";

import { mintSecret, sealSecret } from "../../engine/secret.ts";
import { insertEndpoint } from "../../store/endpoints/endpoints.ts";
import { answerSchema, refusalSchemas } from "../answer-schema.ts";
import { callerOf } from "../authenticate.ts";
import { requireEntitlement } from "../entitlement.ts";
import { answer, refuse } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import type { ProductContext } from "../ports.ts";
import { endpointFields, registeredAnswer, RegisteredSchema } from "./shape.ts";
import { subscriptionTo } from "./subscription.ts";
import { checkEndpointUrl } from "./endpoint-url.ts";

/** The endpoints of one account on one product (design 1). */
const ENDPOINTS_MAX = 100;

/** `POST /v1/webhooks` (spec 4.1) */
export function registerRoute(app: Listener, context: ProductContext): void {
  const { product, database, engine, clock, random, masterKeys, checkUrl } = context;
  const fields = endpointFields(product);
  const schema = {
    operationId: "registerEndpoint",
    tags: ["Endpoints"],
    summary: "Register an endpoint",
    description:
      "The only answer that holds the signing secret. A url that is missing, no string or not https is refused with a code of its own, before anything else of the body is read.",
    body: Type.Object({
      url: fields.url,
      event_types: Type.Optional(fields.event_types),
      description: Type.Optional(fields.description),
    }),
    response: {
      201: answerSchema(product, RegisteredSchema),
      ...refusalSchemas(product, [
        "INVALID_REQUEST",
        "INVALID_URL",
        "ENTITLEMENT_REQUIRED",
        "ENDPOINT_LIMIT",
      ]),
    },
  };

  // The route answers what is missing or wrong by itself: a url has a code of its own, and is judged first.
  const options = { schema, attachValidation: true, onRequest: requireEntitlement(context) };
  app.post("/v1/webhooks", options, async (request, reply) => {
    const flaw = urlError(request.body, checkUrl);
    if (flaw !== null) return refuse(reply, product, { code: "INVALID_URL", message: flaw });
    if (request.validationError !== undefined) {
      return refuse(reply, product, { code: "INVALID_REQUEST", message: request.validationError.message });
    }
    const { url, event_types: eventTypes = [], description = "" } = request.body;
    const { account, cell } = callerOf(request);
    const nowMs = clock.nowMs();
    const id = random.uuid(nowMs);
    const secret = mintSecret(random);
    const endpoint = await insertEndpoint(
      database,
      cell,
      {
        id,
        accountId: account.id,
        product: product.tag,
        url,
        eventTypes: subscriptionTo(product, eventTypes),
        description,
        sealedSecretHash: sealSecret(secret, { accountId: account.id, endpointId: id }, masterKeys, random),
        createdAt: new Date(nowMs),
      },
      ENDPOINTS_MAX,
    );
    if (endpoint === null) {
      return refuse(reply, product, {
        code: "ENDPOINT_LIMIT",
        message: `you have ${ENDPOINTS_MAX} endpoints here already; delete one first`,
      });
    }
    await engine.endpointChanged(cell, account.id, id);
    return answer(reply, product, 201, registeredAnswer(endpoint, secret));
  });
}

/** What is wrong with the url of a body, whatever the body is; null when an endpoint may have it. */
function urlError(body: unknown, checkUrl: ProductContext["checkUrl"]): string | null {
  const { url } = (body ?? {}) as { readonly url?: unknown };
  if (url === undefined) return "url is missing";
  if (typeof url !== "string") return "url: it must be a string that starts with https://";
  const verdict = checkEndpointUrl(url, checkUrl);
  return verdict.ok ? null : `url: ${verdict.reason}`;
}
