import type { OperatorRoutes } from "../../../operator/ports.ts";
import { pushedSchedulesRoute, type PushedSchedules } from "./push.ts";

export function scheduleOperatorRoutes(pushed: PushedSchedules): OperatorRoutes {
  // Whoever pushes a feed may have a secret of its own, and need not have the operator's token.
  return { open: [(app, ports) => pushedSchedulesRoute(app, ports, pushed)] };
}
