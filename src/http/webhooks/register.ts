import Type from "typebox";

import { mintSecret, sealSecret } from "../../engine/secret.ts";
import { insertEndpoint } from "../../store/endpoints/endpoints.ts";
import { answerSchema, refusalSchemas } from "../answer-schema.ts";
import { requireEntitlement } from "../entitlement.ts";
import { answer, refuse } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import type { ProductContext } from "../ports.ts";
import {
  endpointFields,
  IGNORED_HEADER,
  nameIgnored,
  registeredEndpoint,
  scopeOf,
  subscriptionTo,
  urlProblem,
} from "./endpoint.ts";

/** The endpoints of one account on one product. */
export const ENDPOINTS_MAX = 100;

/** `POST /v1/webhooks` (spec 4.1: register, register_response, register_entitlement) */
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
      201: { ...answerSchema(product, registeredEndpoint.schema), headers: IGNORED_HEADER },
      ...refusalSchemas(product, ["INVALID_URL", "ENTITLEMENT_REQUIRED", "ENDPOINT_LIMIT"]),
    },
  };

  // The route answers validation errors itself: a wrong url has a code of its own, and goes before the others.
  const options = { schema, attachValidation: true, onRequest: requireEntitlement(context) };
  app.post("/v1/webhooks", options, async (request, reply) => {
    const problem = sentUrlProblem(request.body, checkUrl);
    if (problem !== null) return refuse(reply, product, { code: "INVALID_URL", message: problem });
    if (request.validationError !== undefined) {
      return refuse(reply, product, { code: "INVALID_REQUEST", message: request.validationError.message });
    }
    const { url, event_types: eventTypes = [], description = "" } = request.body;
    const { cell, owner } = scopeOf(request, product);
    const { accountId } = owner;
    const nowMs = clock.nowMs();
    const id = random.uuid(nowMs);
    const secret = mintSecret(random);
    const endpoint = await insertEndpoint(
      database,
      cell,
      {
        id,
        ...owner,
        url,
        eventTypes: subscriptionTo(product, eventTypes),
        description,
        sealedSecretHash: sealSecret(secret, { accountId, endpointId: id }, masterKeys, random),
        createdAt: new Date(nowMs),
      },
      ENDPOINTS_MAX,
    );
    if (endpoint === null) {
      const message = `you have ${ENDPOINTS_MAX} endpoints here already; delete one first`;
      return refuse(reply, product, { code: "ENDPOINT_LIMIT", message });
    }
    await engine.endpointChanged(cell, accountId, id);
    nameIgnored(reply, product, eventTypes);
    return answer(reply, product, 201, registeredEndpoint.view({ ...endpoint, secret }));
  });
}

/** What is wrong with the url of a body of any kind; null: an endpoint may have it (spec 4.1: register_url; 7: invalid_url). */
function sentUrlProblem(body: unknown, checkUrl: ProductContext["checkUrl"]): string | null {
  const { url } = (body ?? {}) as { readonly url?: unknown };
  if (url === undefined) return "url is missing";
  if (typeof url !== "string") return "url: it must be a string that starts with https://";
  const problem = urlProblem(url, checkUrl);
  return problem && `url: ${problem}`;
}
