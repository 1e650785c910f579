import type { OperatorRoutes } from "../../../operator/ports.ts";
import { positionsRoute } from "./positions.ts";

export const oceanOperatorRoutes: OperatorRoutes = { guarded: [positionsRoute] };
