/** Indices over baskets of lanes, and their values: hundredths of a point, as text. */
import type { RowOf } from "../../../store/sql.ts";
import type { rateIndexList, rateIndexValueList, rateIndexBasketPrices } from "./rate-indices.sql.ts";

/**
 * Days are `YYYY-MM-DD`; `basket` is JSON; `weekday` runs from 1, Monday, to 7; null: on demand only. `exchangeRates`
 * is JSON, those of the base date; null: the basket has one currency.
 */
export type StoredIndex = RowOf<typeof rateIndexList>;

/** `coverage` is in hundredths of a percent; `exchangeRates` is JSON; null: nothing was converted. */
export type StoredIndexValue = RowOf<typeof rateIndexValueList>;

/** What a lane costs on a day; `carried`: by a rate that has ended. Null: unknown. */
export type BasketPrice = RowOf<typeof rateIndexBasketPrices>;
