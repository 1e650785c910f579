import Type from "typebox";

import { publicSchema } from "../../../http/answer-schema.ts";
import { answer, refuse } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import { limitByAddress } from "../../../http/rate-limit.ts";
import type { Airline } from "../sources/airlines/airline-schema.ts";
import { resolveAirline } from "../sources/airlines/airlines-file.ts";

const PrefixPath = Type.Object({
  prefix: Type.String({
    description: "the first three digits of an air waybill",
    stated: { pattern: "^[0-9]{3}$" },
  }),
});

const AirlineSchema = Type.Object(
  {
    prefix: Type.String({ pattern: "^[0-9]{3}$" }),
    iata: Type.String({ description: "the airline's IATA code" }),
    name: Type.String(),
  },
  { title: "Airline" },
);

/** `GET /public/airlines/{prefix}` without a key (spec 4.2: prefix_resolution; 5: public_routes). */
export function airlineRoute(app: Listener, context: ProductContext, airlines: readonly Airline[]): void {
  const { product } = context;
  const schema = {
    operationId: "readAirline",
    summary: "Resolve an air waybill prefix",
    description:
      "Answers from a table of airlines and from the airlines that this service polls, without polling one. Limited by address.",
    params: PrefixPath,
    ...publicSchema(product, AirlineSchema, ["NOT_FOUND"]),
  };

  const onRequest = limitByAddress(context);
  app.get("/public/airlines/:prefix", { schema, onRequest }, async (request, reply) => {
    const { prefix } = request.params;
    if (!/^[0-9]{3}$/.test(prefix)) {
      return refuse(reply, product, {
        code: "INVALID_REQUEST",
        message: "a prefix is the first three digits of an air waybill, such as 176",
      });
    }
    const airline = resolveAirline(airlines, prefix);
    if (airline === null) {
      return refuse(reply, product, { code: "NOT_FOUND", message: `no airline is known by ${prefix}` });
    }
    return answer(reply, product, 200, airline);
  });
}
