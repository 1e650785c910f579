/** The routes of ocean tracking, and what they answer. */
import type { Tracking } from "@boathook/client";

export type { Tracking };
type Schemas = Tracking["schemas"];
export type Container = Schemas["Container"];
export type Detail = Schemas["ContainerDetail"];
export type Box = Schemas["Box"];
/** A box of a container's page: the whole shipment has the same journey. */
export type Journey = Omit<Box, "equipment_reference">;
export type Event = Schemas["TimelineEvent"];
export type Place = Schemas["Place"];
export type Position = Schemas["ContainerPosition"];
export type FreeTime = Schemas["FreeTime"];

export function placeName(place: Pick<Place, "name" | "unlocode"> | null): string {
  return place?.name ?? place?.unlocode ?? "an unknown place";
}
