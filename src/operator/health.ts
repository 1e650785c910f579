import type { Listener } from "../http/listener.ts";
import type { OperatorPorts } from "./ports.ts";

/** For whoever watches the process: alive, able to serve, and its figures. No token is asked for,
 * and all of it is answered until the process has ended. */
export function healthRoutes(
  app: Listener,
  { notReady, metrics }: Pick<OperatorPorts, "notReady" | "metrics">,
): void {
  app.get("/healthz", async () => ({ status: "ok" }));

  app.get("/readyz", async (_request, reply) => {
    const checks = await notReady();
    const reasons = Object.values(checks);
    if (reasons.length === 0) return { status: "ready" };
    return reply.code(503).send({ status: "not ready", reason: reasons.join("; "), checks });
  });

  app.get("/metrics", async (_request, reply) => {
    return reply.type(metrics.contentType).send(await metrics.metrics());
  });
}
