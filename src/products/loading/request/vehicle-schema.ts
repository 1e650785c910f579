/** The vehicle that carries each container, as clients describe it. */
import Type from "typebox";

import { boundedText } from "../../../http/validation.ts";
import { nullable } from "../../../model/data-types.ts";
import { EXTENT_MM_MAX, kilograms, strict } from "./measures.ts";

const position = (description: string) =>
  Type.Integer({
    minimum: -EXTENT_MM_MAX,
    maximum: EXTENT_MM_MAX,
    description: `${description}, in millimetres behind the container's front wall, inside; negative before it`,
  });

const AXLE_GROUP_NAME_LENGTH_MAX = 40;

const AxleGroup = Type.Object(
  {
    name: boundedText(AXLE_GROUP_NAME_LENGTH_MAX, { minLength: 1, description: "your own name for it" }),
    position_mm: position("its middle"),
    tare_kg: kilograms("what it carries without a container"),
    max_kg: kilograms("the most that it may carry"),
  },
  { title: "AxleGroup", description: "it has name, position_mm, tare_kg and max_kg", ...strict },
);

export const VehicleSchema = Type.Object(
  {
    kingpin_mm: Type.Optional(nullable(position("of a trailer; null or none: a lorry without one"))),
    axle_groups: Type.Array(AxleGroup, {
      minItems: 2,
      maxItems: 3,
      description: "from the front: two of a lorry; with a kingpin two of the tractor and one of the trailer",
    }),
  },
  {
    title: "Vehicle",
    description: "what carries each container on the road: kingpin_mm and axle_groups",
    ...strict,
  },
);
