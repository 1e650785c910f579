import Type from "typebox";

import { portOf } from "../../../freight/places/ports.ts";
import { answer } from "../../../http/envelope.ts";
import type { Listener } from "../../../http/listener.ts";
import type { ProductContext } from "../../../http/ports.ts";
import { limitByAddress } from "../../../http/rate-limit.ts";
import { nullable, UtcDateTime } from "../../../model/data-types.ts";
import { publicSchema } from "../../../http/answer-schema.ts";
import { portList } from "../store/port-calls.sql.ts";

const PortSchema = Type.Object(
  {
    port: Type.String({ description: "UN/LOCODE" }),
    name: nullable(Type.String()),
    next_departure: UtcDateTime,
  },
  {
    title: "Port",
  },
);

/** There are fewer container ports. */
const PORTS_MAX = 2_000;

/** `GET /public/ports` without a key (spec 5: public_routes) */
export function portsRoute(app: Listener, context: ProductContext): void {
  const { product, database, productCells, clock } = context;
  const schema = {
    operationId: "listPorts",
    summary: "List the ports that vessels will leave",
    description: "By UN/LOCODE. From the record of schedules, without polling carriers. Limited by address.",
    ...publicSchema(product, Type.Array(PortSchema)),
  };

  const onRequest = limitByAddress(context);
  app.get("/public/ports", { schema, onRequest }, async (_request, reply) => {
    const found = await portList(database, productCells.of("schedules"), {
      from: clock.nowMs(),
      limit: PORTS_MAX,
    });
    const shown = found.map(({ port, nextAt }) => ({
      port,
      name: portOf(port)?.name ?? null,
      next_departure: nextAt.toISOString(),
    }));
    return answer(reply, product, 200, shown);
  });
}
