/** Parameters that several public routes share. */
import Type from "typebox";

export const CarrierQuery = Type.Optional(
  Type.String({ description: "only those of the carrier with this SCAC", examples: ["HRNL"] }),
);

export const CancelledQuery = Type.Optional(
  Type.Enum(["true", "false"], {
    description: "true: also calls that are blanked, slid, omitted or missing",
  }),
);
