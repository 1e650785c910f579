/** The fields of a line of cargo that say which shape its pieces have. */
import Type from "typebox";

import { SHAPES } from "./cargo.ts";
import { millimetres } from "./measures.ts";
import { nullable } from "../../../model/data-types.ts";

export const shapeFields = {
  shape: Type.Optional(
    Type.Enum([...SHAPES], {
      default: "box",
      description: "a box has length_mm and width_mm, a cylinder has diameter_mm; both have height_mm",
    }),
  ),
  length_mm: Type.Optional(millimetres("of one box; of a cylinder, answers have its diameter here")),
  width_mm: Type.Optional(millimetres("of one box; of a cylinder, answers have its diameter here")),
  height_mm: millimetres("of one piece; of a cylinder, along its axis"),
  diameter_mm: Type.Optional(nullable(millimetres("of one cylinder; null for boxes"))),
  lying: Type.Optional(
    Type.Boolean({
      default: false,
      description: "true: a cylinder may also lie, and then needs wedges against rolling; false for boxes",
    }),
  ),
};
