/** The API of `@boathook/receiver`. */
export { verify, BODY_BYTES_MAX, SECRETS_MAX } from "./verify.ts";
export type {
  RawBody,
  Rejection,
  RejectionReason,
  Secret,
  VerifiedDelivery,
  VerifyOptions,
} from "./verify.ts";
export { diagnose } from "./diagnose.ts";
export { createReceiver, HANDLING_MS_MAX } from "./receiver.ts";
export type { DeliveryContext, Receiver, ReceiverOptions, RefusedRequest } from "./receiver.ts";
export { memorySeen, SEEN_ENTRIES_MAX, SEEN_TTL_MS } from "./seen.ts";
export type { Claim, MemorySeenOptions, SeenStore } from "./seen.ts";
export type { Answer } from "./answer.ts";
export type { Clock } from "./clock.ts";
export type { HeaderRecord, HeadersInput, HeadersLike } from "./headers.ts";
export type { Delivery, DeliveryOf, EventData, EventType } from "./delivery.ts";
export type { Additional, ShipmentEventTimes } from "./shape.ts";
export type * from "./ocean.ts";
export type { AirWaybillData } from "./air.ts";
export type { LoadPlanData } from "./loading.ts";
export type { DeadDeliveryData, EndpointData, SourceData } from "./operations.ts";
export type {
  ExchangeRate,
  IndexComparison,
  IndexRefreshedData,
  LaneRateUpdatedData,
  RateBesideTotal,
  RateSurcharge,
} from "./rates.ts";
export type {
  BlankedCall,
  BlankSailingData,
  CutOffApproachingData,
  ReliabilityDropData,
  SailingSlippedData,
} from "./schedules.ts";
