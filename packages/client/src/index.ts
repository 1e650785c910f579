/** The API of `@boathook/client`. */
import type { components as AirComponents, paths as AirPaths } from "./generated/air.ts";
import type { components as LoadingComponents, paths as LoadingPaths } from "./generated/loading.ts";
import type { components as OperationsComponents, paths as OperationsPaths } from "./generated/operations.ts";
import type { components as OperatorComponents, paths as OperatorPaths } from "./generated/operator.ts";
import type { components as RatesComponents, paths as RatesPaths } from "./generated/rates.ts";
import type { components as SchedulesComponents, paths as SchedulesPaths } from "./generated/schedules.ts";
import type { components as TrackingComponents, paths as TrackingPaths } from "./generated/tracking.ts";

export { createClient, orThrow } from "./client.ts";
export type { Address, Answered, Api, AskOrThrow, BodyOf, Client, Failure, Send } from "./client.ts";
export { answered, failureOf, sendWith } from "./send.ts";

type Described<Paths, Components extends { readonly schemas: object }> = {
  readonly paths: Paths;
  readonly schemas: Components["schemas"];
};

export type Air = Described<AirPaths, AirComponents>;
export type Loading = Described<LoadingPaths, LoadingComponents>;
export type Operations = Described<OperationsPaths, OperationsComponents>;
export type Operator = Described<OperatorPaths, OperatorComponents>;
export type Rates = Described<RatesPaths, RatesComponents>;
export type Schedules = Described<SchedulesPaths, SchedulesComponents>;
export type Tracking = Described<TrackingPaths, TrackingComponents>;
/** The routes that every product has. */
export type AnyProduct = Air | Loading | Operations | Rates | Schedules | Tracking;
