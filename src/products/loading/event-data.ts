/** What the events of load planning carry: the summary of a plan, not its pieces. */
import Type from "typebox";

import { nullable, openObject } from "../../model/data-types.ts";

const whole = (description: string) => Type.Integer({ minimum: 0, description });

/** Why pieces stay behind. */
export const LEFT_REASONS = ["too_large", "too_heavy", "no_room"] as const;

export const planSummaryFields = {
  containers: Type.Array(
    Type.Object({ type: Type.String(), count: Type.Integer({ minimum: 1 }) }, { title: "ContainersUsed" }),
    { description: "how many of each type are used" },
  ),
  container_count: whole("containers used in all"),
  pieces: whole("pieces of cargo asked for"),
  pieces_placed: whole("of them, those that have a place"),
  pieces_left: whole("of them, those that have none"),
  left_by_reason: Type.Partial(
    Type.Object({
      too_large: Type.Integer({
        minimum: 1,
        description: "fits no container offered, or not through its door",
      }),
      too_heavy: Type.Integer({ minimum: 1, description: "alone above the payload of each that it fits" }),
      no_room: Type.Integer({ minimum: 1, description: "no container left with room or payload for it" }),
    }),
    { description: "the pieces left, by reason; without reasons that there are none of" },
  ),
  volume_fill: nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: "the share that cargo takes of the inner volume of the containers used; null without any",
    }),
  ),
  volume_m3: Type.Number({ minimum: 0, description: "of the cargo that has a place" }),
  weight_kg: Type.Number({ minimum: 0, description: "of the cargo that has a place" }),
};

export const LoadPlanData = openObject("LoadPlanData", {
  plan_id: Type.String({ format: "uuid", description: "read the plan by it, with the place of every piece" }),
  name: nullable(Type.String({ description: "as you gave it" })),
  revision: Type.Integer({ minimum: 1, description: "1 when made, and one more with each change" }),
  ...planSummaryFields,
});
