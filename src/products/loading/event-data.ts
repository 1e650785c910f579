/** The data of load planning's events: the summary of a plan, without its pieces. */
import Type from "typebox";

import { nullable, openObject } from "../../model/data-types.ts";

const whole = (description: string) => Type.Integer({ minimum: 0, description });

/** Why pieces are left behind. */
export const LEFT_REASONS = [
  "too_large",
  "door_too_small",
  "too_heavy",
  "no_room",
  "too_large_for_pallet",
  "too_heavy_for_pallet",
] as const;

export type LeftReason = (typeof LEFT_REASONS)[number];

export const planSummaryFields = {
  containers: Type.Array(
    Type.Object({ type: Type.String(), count: Type.Integer({ minimum: 1 }) }, { title: "ContainersUsed" }),
    { description: "how many of each type are used" },
  ),
  container_count: whole("containers used in all"),
  pieces: whole("pieces in the request"),
  pieces_placed: whole("pieces that have a place"),
  pieces_left: whole("pieces left behind"),
  left_by_reason: Type.Partial(
    Type.Object({
      too_large: Type.Integer({
        minimum: 1,
        description: "fits no container offered",
      }),
      door_too_small: Type.Integer({
        minimum: 1,
        description: "would fit inside a container offered, but not through its door",
      }),
      too_heavy: Type.Integer({
        minimum: 1,
        description: "one piece exceeds the payload of every container that it fits",
      }),
      no_room: Type.Integer({ minimum: 1, description: "no container has room or payload left for it" }),
      too_large_for_pallet: Type.Integer({
        minimum: 1,
        description: "to be palletised, and larger than the deck or too high for a built pallet",
      }),
      too_heavy_for_pallet: Type.Integer({
        minimum: 1,
        description: "to be palletised, and heavier than the most that a pallet carries",
      }),
    }),
    { description: "pieces left behind, by reason; only reasons that occur" },
  ),
  volume_fill: nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: "the share of the containers' inner volume that cargo takes; null without containers",
    }),
  ),
  volume_m3: Type.Number({ minimum: 0, description: "of the cargo that has a place, with its pallets" }),
  weight_kg: Type.Number({ minimum: 0, description: "of the cargo that has a place, with its pallets" }),
};

export const LOAD_PLAN = {
  plan_id: "01a1fc9f-98f4-77f7-82bf-42bcc7b77f54",
  name: "Rotterdam, week 48",
  containers: [{ type: "40HC", count: 1 }],
  container_count: 1,
  pieces: 40,
  pieces_placed: 40,
  pieces_left: 0,
  left_by_reason: {},
  volume_fill: 0.71,
  volume_m3: 54.2,
  weight_kg: 11200,
};

export const LoadPlanData = openObject("LoadPlanData", {
  plan_id: Type.String({ format: "uuid", description: "reads the plan, with the place of every piece" }),
  name: nullable(Type.String({ description: "as you gave it" })),
  revision: Type.Integer({ minimum: 1, description: "1 at first, one more with each change" }),
  ...planSummaryFields,
});
