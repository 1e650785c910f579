/** The routes of load planning, and what they answer. */
import type { Loading } from "@boathook/client";

export type { Loading };
type Schemas = Loading["schemas"];
export type ListedPlan = Schemas["ListedPlan"];
export type Plan = Schemas["Plan"];
export type Placement = Schemas["Placement"];
export type Container = Schemas["LoadedContainer"];
export type CargoSent = Schemas["Cargo"];
export type Cargo = Schemas["CargoRead"];
export type Pallet = Container["pallets"][number];
export type Limit = Container["limits"][number];
export type LeftReason = Schemas["LeftBehind"]["reason"];
