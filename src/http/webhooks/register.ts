import type { FastifyReply } from "fastify";
import Type from "typebox";

import { mintSecret, sealSecret } from "../../engine/secret.ts";
import { insertEndpoint } from "../../store/endpoints.ts";
import { answerSchema, refusalSchemas } from "../answer-schema.ts";
import { callerOf } from "../authenticate.ts";
import { requireEntitlement } from "../entitlement.ts";
import { answer, refuse } from "../envelope.ts";
import type { Listener } from "../listener.ts";
import type { ProductContext } from "../ports.ts";
import { endpointFields, registeredAnswer, RegisteredSchema } from "./shape.ts";
import { subscriptionTo } from "./subscription.ts";
import { judgeUrl } from "./url.ts";

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
    description: "The only answer that holds the signing secret.",
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

  const invalidUrl = (reply: FastifyReply, reason: string) =>
    refuse(reply, product, { code: "INVALID_URL", message: `url: ${reason}` });

  // What is missing or wrong is answered here, for a missing URL has a code of its own.
  const options = { schema, attachValidation: true, onRequest: requireEntitlement(context) };
  app.post("/v1/webhooks", options, async (request, reply) => {
    if (request.validationError !== undefined) {
      if (hasNoUrl(request.body))
        return refuse(reply, product, { code: "INVALID_URL", message: "url is missing" });
      return refuse(reply, product, { code: "INVALID_REQUEST", message: request.validationError.message });
    }
    const { url, event_types: eventTypes = [], description = "" } = request.body;
    const verdict = judgeUrl(url, checkUrl);
    if (!verdict.ok) return invalidUrl(reply, verdict.reason);

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

function hasNoUrl(body: unknown): boolean {
  return body === undefined || (typeof body === "object" && body !== null && !("url" in body));
}
