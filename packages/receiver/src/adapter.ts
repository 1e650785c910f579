import type { Answer } from "./answer.ts";
import type { Delivery } from "./delivery.ts";
import type { HeadersInput } from "./headers.ts";
import type { RawBody } from "./verify.ts";

/** Verifies and handles one request. Never rejects. */
export type Receive = (method: string, headers: HeadersInput, rawBody: RawBody) => Promise<Answer>;

export type Report = (error: unknown, delivery: Delivery | null) => void;

/** What the framework adapters share. */
export type AdapterContext = {
  readonly receive: Receive;
  readonly bodyBytesMax: number;
  readonly report: Report;
};
