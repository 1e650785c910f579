/** The pallet that pieces are built on before they are loaded, as clients describe it. */
import Type, { type Static } from "typebox";

import { boundedText } from "../../../http/validation.ts";
import { nullable } from "../../../model/data-types.ts";
import { kilograms, millimetres, strict } from "./measures.ts";

const OVERHANG_MM_MAX = 500;

export const PalletSchema = Type.Object(
  {
    type: boundedText(40, {
      minLength: 1,
      description: "EUR, EUR2, EUR3 or GMA, or your own name for a pallet with its measures",
    }),
    length_mm: Type.Optional(millimetres("of the deck")),
    width_mm: Type.Optional(millimetres("of the deck")),
    height_mm: Type.Optional(millimetres("of the empty pallet")),
    tare_kg: Type.Optional(kilograms("of the empty pallet")),
    max_load_kg: Type.Optional(kilograms("the most that stands on it")),
    height_mm_max: Type.Optional(
      nullable(
        millimetres("of the built pallet, with its deck; by default, what the highest container takes"),
      ),
    ),
    overhang_mm: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: OVERHANG_MM_MAX,
        default: 0,
        description: "how far pieces may stand out beyond each edge of the deck, in whole millimetres",
      }),
    ),
    stackable: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "true: other cargo may stand on a built pallet, if its top is full and its pieces bear it",
      }),
    ),
  },
  {
    title: "Pallet",
    description:
      "it has type, length_mm, width_mm, height_mm, tare_kg, max_load_kg, height_mm_max, overhang_mm and stackable",
    ...strict,
  },
);

export type SentPallet = Static<typeof PalletSchema>;
