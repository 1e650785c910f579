/** The request for a load plan, as clients send it and as plans show it. */
import Type, { type Static } from "typebox";

import { boundedText } from "../../../http/validation.ts";
import { nullable } from "../../../model/data-types.ts";
import { CONTAINERS_MAX } from "../planning/container-set.ts";
import { EDGES, SHAPES } from "./cargo.ts";
import { CONTAINER_TYPES, OPEN_PARTS } from "./container-types.ts";
import { EXTENT_MM_MAX, kilograms, millimetres, strict } from "./measures.ts";
import { PalletSchema } from "./pallet-schema.ts";

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

const VehicleSchema = Type.Object(
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

/** The fields of a line of cargo that say which shape its pieces have. */
const shapeFields = {
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

/** Enough for `LINES_MAX` lines of cargo. */
export const PLAN_BODY_BYTES_MAX = 512 * 1024;

/** Pieces of one plan, in all lines together. */
export const PIECES_MAX = 20_000;
const LINES_MAX = 1_000;
const CONTAINER_TYPES_MAX = 20;
const COST_MAX = 1e9;
const LAYERS_MAX = 100;
const STOPS_MAX = 100;
const NAME_LENGTH_MAX = 200;
const ID_LENGTH_MAX = 100;

const beyond = (what: string) =>
  Type.Integer({ minimum: 0, maximum: EXTENT_MM_MAX, description: `the most that ${what}; null: no limit` });

const Cargo = Type.Object(
  {
    id: Type.Optional(
      boundedText(ID_LENGTH_MAX, {
        minLength: 1,
        description: "your own name for it, which its placements repeat; by default its place in the list",
      }),
    ),
    ...shapeFields,
    weight_kg: kilograms("of one piece"),
    count: Type.Integer({ minimum: 1, maximum: PIECES_MAX, description: "how many pieces, at least one" }),
    stackable: Type.Optional(Type.Boolean({ default: true, description: "false: nothing may stand on it" })),
    max_load_kg: Type.Optional(
      nullable(
        kilograms(
          "the most that may lie on one piece, with all that lies on that; by default, it bears anything",
        ),
      ),
    ),
    layers_max: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: LAYERS_MAX,
          description: "the most layers from one piece up, itself included; by default, as many as fit",
        }),
      ),
    ),
    stop: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: STOPS_MAX,
        default: 1,
        description: "where it is unloaded, 1 first; nothing of a later stop lies on it or bars its way out",
      }),
    ),
    upright: Type.Optional(
      Type.Array(Type.Enum([...EDGES]), {
        minItems: 1,
        maxItems: 3,
        default: ["height"],
        description:
          "which of its edges may stand upright, at least one; all three if it may lie on any side",
      }),
    ),
    turnable: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          "may be turned about the vertical; false: the first of its edges that lie goes along the container",
      }),
    ),
    palletised: Type.Optional(
      Type.Boolean({ default: false, description: "true: it is built onto a pallet, which is then loaded" }),
    ),
  },
  {
    title: "Cargo",
    description:
      "a line has id, shape, length_mm, width_mm or diameter_mm, height_mm, lying, weight_kg, count, stackable, max_load_kg, layers_max, stop, upright, turnable and palletised",
    ...strict,
  },
);

const Container = Type.Object(
  {
    type: boundedText(40, {
      minLength: 1,
      description: `${[...CONTAINER_TYPES.keys()].join(", ")}, or your own name for a type with its measures`,
    }),
    count: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: CONTAINERS_MAX,
          description: "how many there are; by default, as many as are needed",
        }),
      ),
    ),
    cost: Type.Optional(
      nullable(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: COST_MAX,
          description: "of one, in any unit; give it for all types, or for none to use the fewest containers",
        }),
      ),
    ),
    length_mm: Type.Optional(millimetres("inside")),
    width_mm: Type.Optional(millimetres("inside")),
    height_mm: Type.Optional(millimetres("inside, up to the load line")),
    door_width_mm: Type.Optional(millimetres("of the opening; by default as wide as the inside")),
    door_height_mm: Type.Optional(millimetres("of the opening; by default as high as the inside")),
    max_payload_kg: Type.Optional(kilograms("the most cargo that it may carry")),
    tare_kg: Type.Optional(nullable(kilograms("of the empty container"))),
    open: Type.Optional(
      Type.Array(Type.Enum([...OPEN_PARTS]), {
        maxItems: OPEN_PARTS.length,
        description:
          "what it lacks, roof or sides: cargo that is too high or too wide stands out there, and the door is not used",
      }),
    ),
    max_over_height_mm: Type.Optional(
      nullable(beyond("cargo may stand out above an open roof, in millimetres")),
    ),
    max_over_width_mm: Type.Optional(
      nullable(beyond("cargo may stand out beyond each open side, in millimetres")),
    ),
    max_line_load_kg_m: Type.Optional(
      nullable(
        kilograms("the most on any metre of its length; null: no limit, also the default of your own"),
      ),
    ),
  },
  {
    title: "ContainerOffered",
    description: "a standard type, with any of its measures changed, or one of your own with all measures",
    ...strict,
  },
);

/** CTU Code, annex 7, 3.1.4: the cargo's centre of gravity is at most 5 % of the length off the middle. */
export const OFF_CENTRE_DEFAULT = 0.05;

const offCentre = (of: string) =>
  Type.Number({
    minimum: 0,
    maximum: 0.5,
    default: OFF_CENTRE_DEFAULT,
    description: `a share of the inner ${of}`,
  });

const OffCentre = Type.Object(
  { length: Type.Optional(offCentre("length")), width: Type.Optional(offCentre("width")) },
  {
    title: "OffCentre",
    description: "how far the cargo's centre of gravity may be off the middle: length and width",
    ...strict,
  },
);

export const PlanRequestSchema = Type.Object(
  {
    name: Type.Optional(
      nullable(boundedText(NAME_LENGTH_MAX, { minLength: 1, description: "a label of your own" })),
    ),
    cargo: Type.Array(Cargo, {
      minItems: 1,
      maxItems: LINES_MAX,
      description: `1 to ${LINES_MAX} lines, ${PIECES_MAX} pieces in all`,
    }),
    containers: Type.Optional(
      Type.Array(Container, {
        minItems: 1,
        maxItems: CONTAINER_TYPES_MAX,
        description: `1 to ${CONTAINER_TYPES_MAX} types that may be used; by default, as many 20GP, 40GP and 40HC as are needed`,
      }),
    ),
    max_off_centre: Type.Optional(nullable(OffCentre)),
    vehicle: Type.Optional(nullable(VehicleSchema)),
    pallet: Type.Optional(nullable(PalletSchema)),
  },
  {
    title: "PlanRequest",
    description: "it takes name, cargo, containers, max_off_centre, vehicle and pallet",
    ...strict,
  },
);

/** The request as plans show it: with all defaults. */
export const RequestViewSchema = Type.Object(
  {
    name: nullable(Type.String()),
    cargo: Type.Array(Type.Required(Cargo, { title: "CargoRead" })),
    containers: Type.Array(Type.Required(Container, { title: "ContainerRead" })),
    max_off_centre: nullable(Type.Required(OffCentre, { title: "OffCentreRead" })),
    vehicle: nullable(Type.Required(VehicleSchema, { title: "VehicleRead" })),
    pallet: nullable(Type.Required(PalletSchema, { title: "PalletRead" })),
  },
  { title: "PlanRequestRead", description: "what the plan was made from, with all defaults" },
);

export type SentRequest = Static<typeof PlanRequestSchema>;
export type SentCargo = Static<typeof Cargo>;
export type SentContainer = Static<typeof Container>;
export type RequestView = Static<typeof RequestViewSchema>;
export type CargoView = RequestView["cargo"][number];
export type ContainerChoiceView = RequestView["containers"][number];
