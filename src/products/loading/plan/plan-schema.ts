/** A load plan as clients see it, and as the API's document describes it. */
import Type, { type Static } from "typebox";

import { LEFT_REASONS, planSummaryFields } from "../event-data.ts";
import { nullable, UtcDateTime } from "../../../model/data-types.ts";
import { LIMIT_NAMES } from "../planning/balance/limits.ts";
import { EDGES } from "../request/cargo.ts";
import { RequestViewSchema } from "../request/request-schema.ts";

const PlanSummarySchema = Type.Object(planSummaryFields, { title: "PlanSummary" });

const listedPlanFields = {
  id: Type.String({ format: "uuid" }),
  name: nullable(Type.String()),
  revision: Type.Integer({ description: "1 at first, one more with each change" }),
  created_at: UtcDateTime,
  updated_at: UtcDateTime,
  summary: PlanSummarySchema,
};

export const ListedPlanSchema = Type.Object(listedPlanFields, { title: "ListedPlan" });

const extentFields = {
  length_mm: Type.Integer(),
  width_mm: Type.Integer(),
  height_mm: Type.Integer(),
};

const Placement = Type.Object(
  {
    cargo: Type.String({ description: "the id of its line" }),
    x_mm: Type.Integer({ description: "from the front wall, opposite the door" }),
    y_mm: Type.Integer({
      description: "from the wall on the left, looking from the door; negative beyond an open side",
    }),
    z_mm: Type.Integer({ description: "from the floor" }),
    ...extentFields,
    cylinder_axis: Type.Optional(
      Type.Enum([...EDGES], {
        description:
          "of a cylinder only: the extent that its axis lies along; height: it stands, and otherwise it needs wedges",
      }),
    ),
    pallet: Type.Optional(
      Type.Integer({ minimum: 1, description: "of a piece on a pallet only: the number of the pallet" }),
    ),
  },
  {
    title: "Placement",
    description:
      "one piece: its corner nearest to the front, the left and the floor, and its extents as it lies",
  },
);

const Deck = Type.Object(
  { x_mm: Type.Integer(), y_mm: Type.Integer(), z_mm: Type.Integer(), ...extentFields },
  { title: "Deck", description: "the empty pallet: the corner nearest to the zero point, and its extents" },
);

const LoadedPallet = Type.Object(
  {
    number: Type.Integer({ description: "from 1, in the whole plan" }),
    build: Type.Integer({ description: "which of the pallet_builds it is" }),
    turned: Type.Boolean({
      description: "true: a quarter turn to the left, seen from above, so that its length is across",
    }),
    x_mm: Type.Integer({ description: "as of a placement" }),
    y_mm: Type.Integer({ description: "as of a placement" }),
    z_mm: Type.Integer({ description: "as of a placement" }),
    ...extentFields,
    deck: Deck,
  },
  { title: "LoadedPallet", description: "a built pallet in its container, with what stands on it" },
);

const PalletBuild = Type.Object(
  {
    build: Type.Integer({ description: "from 1" }),
    count: Type.Integer({ minimum: 1, description: "how many are built like this" }),
    ...extentFields,
    weight_kg: Type.Number({ description: "of one, with the empty pallet" }),
    pieces: Type.Integer({ description: "on one" }),
    deck: Deck,
    placements: Type.Array(Placement, {
      description:
        "what stands on it, each after what it stands on, measured from the corner of the built pallet, its length along x",
    }),
  },
  { title: "PalletBuild", description: "pallets that are built in the same way, before anything is loaded" },
);

const KeptLimit = Type.Object(
  {
    limit: Type.Enum([...LIMIT_NAMES], {
      description:
        "how far the cargo's centre of gravity is off the middle, as a share of the inner length or width; the most on any metre of the length; or the load of a group of axles, with its tare and the container",
    }),
    axle_group: Type.Optional(Type.String({ description: "of an axle load only: the name of the group" })),
    value: Type.Number({ description: "in this plan" }),
    max: Type.Number({ description: "as requested" }),
    kept: Type.Boolean(),
  },
  { title: "KeptLimit", description: "a limit of weight, and whether the plan keeps it" },
);

const OutOfGauge = Type.Object(
  {
    pieces: Type.Integer({ minimum: 1, description: "that stand out" }),
    over_height_mm: Type.Integer({ minimum: 0, description: "the most above the roof" }),
    over_width_left_mm: Type.Integer({ minimum: 0, description: "the most beyond the left side" }),
    over_width_right_mm: Type.Integer({ minimum: 0, description: "the most beyond the right side" }),
  },
  { title: "OutOfGauge", description: "how far cargo stands out of an open container" },
);

const LoadedContainer = Type.Object(
  {
    number: Type.Integer({ description: "from 1" }),
    type: Type.String(),
    ...extentFields,
    pieces: Type.Integer(),
    volume_fill: Type.Number({ description: "0 to 1, of the inner volume, by what lies inside" }),
    weight_kg: Type.Number({ description: "of the cargo in it, with its pallets" }),
    max_payload_kg: Type.Number(),
    gross_weight_kg: nullable(Type.Number({ description: "with the tare; null if that is not known" })),
    centre_of_gravity_mm: nullable(
      Type.Object(
        { x: Type.Integer(), y: Type.Integer(), z: Type.Integer() },
        { title: "Point", description: "of the cargo, with the weight of each piece in its middle" },
      ),
    ),
    load_per_metre_kg: Type.Array(Type.Number(), {
      description: "on each metre of the length, from the front wall; the last may be shorter",
    }),
    limits: Type.Array(KeptLimit),
    out_of_gauge: nullable(OutOfGauge),
    pallets: Type.Array(LoadedPallet, { description: "what is unloaded last comes first" }),
    placements: Type.Array(Placement, {
      description: "each piece, also on pallets; what is unloaded last comes first",
    }),
  },
  { title: "LoadedContainer" },
);

const LeftBehind = Type.Object(
  { cargo: Type.String(), count: Type.Integer(), reason: Type.Enum([...LEFT_REASONS]) },
  { title: "LeftBehind", description: "pieces of one line that are left behind, and why" },
);

export const PlanSchema = Type.Object(
  {
    ...listedPlanFields,
    pallet_builds: Type.Array(PalletBuild, { description: "pallets to build before loading" }),
    containers: Type.Array(LoadedContainer),
    left: Type.Array(LeftBehind),
    request: RequestViewSchema,
  },
  { title: "Plan" },
);

export type PlanSummary = Static<typeof PlanSummarySchema>;
export type ListedPlan = Static<typeof ListedPlanSchema>;
export type Plan = Static<typeof PlanSchema>;
export type PlanDetail = Pick<Plan, "pallet_builds" | "containers" | "left">;
export type KeptLimit = Static<typeof KeptLimit>;
export type ContainerView = Plan["containers"][number];
export type PalletBuild = Static<typeof PalletBuild>;
export type LoadedPallet = Static<typeof LoadedPallet>;
export type Deck = Static<typeof Deck>;
export type Placement = Static<typeof Placement>;
