/** The operator's routes without their listener. */
import { answered, createClient, orThrow, type Operator } from "@boathook/client";

import { CommandError } from "../../cli/command.ts";
import type { OperatorRequest } from "../../cli/context.ts";
import type { Listener } from "../../http/listener.ts";
import type { OperatorPorts } from "../../operator/ports.ts";
import type { Linking } from "../../operator/portal-links.ts";
import { publishInvalidation } from "../../store/endpoints/invalidations.ts";
import { products } from "../../products/index.ts";

type StorePorts = Pick<
  OperatorPorts,
  "database" | "cells" | "productCells" | "clock" | "random" | "log" | "parkedMs" | "historyMs"
> &
  Pick<Linking, "portalUrl"> & { readonly openMasterKeys: Linking["masterKeys"] };

const TOKEN_BYTES = 32;
/** No node has it: all take the change in. */
const NO_NODE = 0;

/** Loads the routes when the first of them is asked. */
export function operatorRequests(ports: StorePorts): { ask: OperatorRequest; close(): Promise<void> } {
  const operatorToken = ports.random.bytes(TOKEN_BYTES).toString("hex");
  let server: Promise<Listener> | null = null;

  async function start(): Promise<Listener> {
    const { createOpsServer } = await import("../../operator/server.ts");
    const { portalLinksRoute } = await import("../../operator/portal-links.ts");
    const linking = { ...ports, products, masterKeys: ports.openMasterKeys };
    return createOpsServer({
      ...ports,
      engine: {
        raise: () => Promise.reject(new Error("no command raises events")),
        // A command sends nothing: it need not wait for the nodes, which learn of the change at once.
        async endpointChanged(cell, accountId, endpointId) {
          await publishInvalidation(ports.database, cell, accountId, endpointId, NO_NODE);
        },
      },
      products,
      productRoutes: [{ guarded: [portalLinksRoute(linking)] }],
      operatorToken,
      metrics: { contentType: "text/plain; version=0.0.4; charset=utf-8", metrics: async () => "" },
      notReady: async () => ({ checks: {} }),
      illCells: async () => new Map(),
    });
  }

  const client = createClient<Operator>("", async (method, url, body) => {
    const listener = await (server ??= start());
    const { statusCode, payload } = await listener.inject({
      method: method as "GET",
      url,
      headers: { authorization: `Bearer ${operatorToken}` },
      ...(body === undefined ? {} : { payload: body as object }),
    });
    return answered(statusCode, payload);
  });
  return {
    ask: orThrow(client, ({ message }) => new CommandError(errorSentence(message ?? ""), 1)),
    async close() {
      const started = await server;
      await started?.close();
    },
  };
}

/** The route's message, for somebody who has sent no body. */
function errorSentence(message: string): string {
  const text = message.replace(/^body\./, "");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
