/** The routes of sailing schedules, and what they answer. */
import type { Schedules } from "@boathook/client";

export type { Schedules };
type Schemas = Schedules["schemas"];
export type CallTimes = Schemas["CallTimes"];
export type CutOff = Schemas["CutOff"];
export type Sailing = Schemas["Sailing"];
export type PortCall = Schemas["PortCall"];
export type CallHistory = Schemas["PortCallHistory"];
export type Port = Schemas["Port"];
export type ServiceScore = Schemas["ServiceReliability"];
