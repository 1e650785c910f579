/** What the public routes share: none needs a key (spec 5: public_routes). */
import Type from "typebox";

import { SCAC_OR_EMPTY } from "../../../http/stated-rules.ts";

export const CarrierQuery = Type.Optional(
  Type.String({
    description: "only those of the carrier with this SCAC",
    stated: SCAC_OR_EMPTY,
  }),
);

export const CancelledQuery = Type.Optional(
  Type.Enum(["true", "false"], {
    description: "true: also calls that are blanked, slid, omitted or missing",
  }),
);
