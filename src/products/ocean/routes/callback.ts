import type { FastifyReply } from "fastify";
import Type from "typebox";

import type { CarrierCallbacks } from "../sources/callback.ts";
import { refuse } from "../../../http/envelope.ts";
import { createLimiter } from "../../../http/limiter.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import { limitByAddress } from "../../../http/rate-limit.ts";

/** A bill of lading with a hundred boxes is some dozens of KiB. */
const BODY_BYTES_MAX = 512 * 1024;
/** A minute: a carrier sends all its callbacks from a few addresses. */
const CALLBACKS_PER_ADDRESS_MAX = 1_200;

/**
 * `POST /callbacks/{scac}`: carriers push events (docs/carriers.md). 3.0 posts to `/events` below the given address.
 * 2.2 tests the address with HEAD before it subscribes.
 */
export function callbackRoutes(app: Listener, context: ProductContext, callbacks: CarrierCallbacks): void {
  const { product, log, clock } = context;
  const byAddress = createLimiter(clock, CALLBACKS_PER_ADDRESS_MAX);
  const options = {
    schema: { hide: true, params: Type.Object({ scac: Type.String() }) },
    onRequest: limitByAddress({ ...context, limits: { ...context.limits, byAddress } }),
    bodyLimit: BODY_BYTES_MAX,
    // `API-Version` is that of the carrier's standard, not ours.
    config: { pinsVersion: false },
  };
  const unknown = (reply: FastifyReply): FastifyReply =>
    refuse(reply, product, { code: "NOT_FOUND", message: "no carrier of this name sends callbacks here" });

  void app.register(async (scope: Listener) => {
    // The signature covers the bytes.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<Buffer>("*", { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body),
    );
    for (const path of ["/callbacks/:scac", "/callbacks/:scac/events"]) {
      scope.head(path, options, async (request, reply) =>
        callbacks.apiOf(scacIn(request.params)) === null ? unknown(reply) : reply.code(204).send(),
      );
      scope.post(path, options, async (request, reply) => {
        const scac = scacIn(request.params);
        const signature = request.headers["notification-signature"];
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const outcome = await callbacks.handle(scac, [signature].flat()[0], body);
        switch (outcome.kind) {
          case "accepted":
            return accepted(reply, callbacks.apiOf(scac));
          case "unknown":
            return unknown(reply);
          case "unsigned":
            log.info(
              { carrier: scac, address: request.ip },
              "a callback was not signed with the carrier's secret",
            );
            return refuse(reply, product, {
              code: "UNAUTHORIZED",
              message:
                "Notification-Signature must be sha256= and the HMAC of this body under the subscription's secret",
            });
          case "unreadable":
            return refuse(reply, product, { code: "INVALID_REQUEST", message: outcome.message });
        }
      });
    }
  });
}

/** Some carriers write addresses in lower case. */
function scacIn({ scac }: { readonly scac: string }): string {
  return scac.toUpperCase();
}

/** Each standard has its own answer. */
function accepted(reply: FastifyReply, api: ReturnType<CarrierCallbacks["apiOf"]>): FastifyReply {
  if (api !== "dcsa-tnt-3.0") return reply.code(204).send();
  return reply.code(200).header("api-version", "3.0.0").send({ feedbackElements: [] });
}
