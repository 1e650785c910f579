import type { OperatorRoutes } from "../../../operator/ports.ts";
import { listCurrenciesRoute, loadCurrenciesRoute, removeCurrenciesRoute } from "./currencies.ts";
import { computeIndexRoute, defineIndexRoute, removeIndexRoute } from "./indices.ts";
import { loadRatesRoute, removeRateRoute } from "./load.ts";

/** `wakeForwarder` is called when broadcasts have been written, and the transaction has ended. */
export function rateOperatorRoutes(wakeForwarder: () => void): OperatorRoutes {
  const routes = [
    ...[loadRatesRoute, removeRateRoute],
    ...[defineIndexRoute, computeIndexRoute, removeIndexRoute],
    ...[loadCurrenciesRoute, listCurrenciesRoute, removeCurrenciesRoute],
  ];
  return { guarded: routes.map((route) => (app, ports) => route(app, { ...ports, wakeForwarder })) };
}
