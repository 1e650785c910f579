import type { OperatorRoutes } from "../../../operator/ports.ts";
import { airMessagesRoute, type OnMessages } from "./messages.ts";

export function airOperatorRoutes(onMessages: OnMessages): OperatorRoutes {
  return { guarded: [(app, ports) => airMessagesRoute(app, ports, onMessages)] };
}
