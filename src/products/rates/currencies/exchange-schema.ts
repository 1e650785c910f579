/** Exchange rates in the API's description (docs/rates.md). */
import Type from "typebox";

import { CalendarDate } from "../../../model/data-types.ts";

export const ExchangeRateSchema = Type.Object(
  {
    source: Type.String({ description: "who published it, a name or a URL" }),
    base: Type.String({ pattern: "^[A-Z]{3}$", description: "ISO 4217" }),
    currency: Type.String({ pattern: "^[A-Z]{3}$", description: "ISO 4217" }),
    date: CalendarDate,
    rate: Type.String({
      pattern: "^[0-9]+(\\.[0-9]+)?$",
      description: "what one unit of the base costs in the currency, a decimal",
    }),
  },
  { title: "ExchangeRate" },
);
