import type { Listener } from "../http/listener.ts";
import type { OpsPorts } from "./ports.ts";

/** For whoever watches the process: alive, able to serve, and its figures. No token is asked for. */
export function healthRoutes(
  app: Listener,
  { notReady, metrics }: Pick<OpsPorts, "notReady" | "metrics">,
): void {
  app.get("/healthz", async () => ({ status: "ok" }));

  app.get("/readyz", async (_request, reply) => {
    const reason = await notReady();
    if (reason === null) return { status: "ready" };
    return reply.code(503).send({ status: "not ready", reason });
  });

  app.get("/metrics", async (_request, reply) => {
    return reply.type(metrics.contentType).send(await metrics.metrics());
  });
}
