/** The routes of freight rates, and what they answer. Amounts are exact, as text. */
import type { Rates } from "@boathook/client";

export type { Rates };
type Schemas = Rates["schemas"];
export type Surcharge = Schemas["Surcharge"];
export type Lane = Schemas["Lane"];
export type Rate = NonNullable<Lane["rate"]>;
export type PastRate = Schemas["PastRate"];
export type LoadedRate = Schemas["LoadedRate"];
export type IndexDetail = Schemas["IndexDetail"];
export type IndexValue = Schemas["IndexValue"];
