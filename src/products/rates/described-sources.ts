/** Freight rates are loaded, not polled. */
import { pushed, type SourcesOfProduct } from "../../freight/sources/description.ts";
import { EXCHANGE_RATES_LOADED } from "./operator/currencies.ts";
import { RATES_LOADED } from "./operator/load.ts";

export function describeSources(): SourcesOfProduct {
  return {
    sources: [
      {
        id: "rates",
        kind: "rates",
        title: "Loaded rates",
        queues: [],
        channels: [
          pushed(RATES_LOADED, "Files loaded by POST /v1/rates"),
          pushed(EXCHANGE_RATES_LOADED, "Exchange rates loaded by POST /v1/rates/currencies"),
        ],
      },
    ],
  };
}
