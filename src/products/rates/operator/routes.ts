import type { OperatorRoute, OperatorRoutes } from "../../../operator/ports.ts";
import { listCurrenciesRoute, loadCurrenciesRoute, removeCurrenciesRoute } from "./currencies.ts";
import { computeIndexRoute, defineIndexRoute, listIndicesRoute, removeIndexRoute } from "./indices.ts";
import { laneHistoryRoute, listRatesRoute } from "./lanes.ts";
import { loadRatesRoute, removeRateRoute } from "./load.ts";

export function rateOperatorRoutes(): OperatorRoutes {
  const routes = [
    ...[loadRatesRoute, removeRateRoute],
    ...[defineIndexRoute, computeIndexRoute, removeIndexRoute],
    ...[loadCurrenciesRoute, listCurrenciesRoute, removeCurrenciesRoute],
  ];
  const writing = routes.map((route): OperatorRoute => (app, ports) => {
    route(app, { ...ports, wakeForwarder: ports.wakeForwarder ?? (() => undefined) });
  });
  return { guarded: [...writing, listRatesRoute, laneHistoryRoute, listIndicesRoute] };
}
