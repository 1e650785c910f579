/** Values of the documents: what `boathook try` plans. */
import type { Examples } from "../../model/product.ts";

const TOO_LARGE = "the body has more than 512 KiB, the most that this path takes; send less at once";

/** With all defaults. */
const PALLET = {
  id: "pallet",
  shape: "box",
  length_mm: 1200,
  width_mm: 800,
  height_mm: 1000,
  diameter_mm: null,
  lying: false,
  weight_kg: 400,
  count: 20,
  stackable: true,
  max_load_kg: null,
  layers_max: null,
  stop: 1,
  upright: ["height"],
  turnable: true,
  palletised: false,
};

const CONTAINER = {
  type: "20GP",
  count: null,
  cost: null,
  length_mm: 5898,
  width_mm: 2352,
  height_mm: 2393,
  door_width_mm: 2340,
  door_height_mm: 2280,
  max_payload_kg: 28180,
  tare_kg: 2300,
  open: [],
  max_over_height_mm: null,
  max_over_width_mm: null,
  max_line_load_kg_m: 4780,
};

const CARTON = {
  ...PALLET,
  id: "carton",
  length_mm: 400,
  width_mm: 300,
  height_mm: 250,
  weight_kg: 12,
  count: 48,
  palletised: true,
};

const EUR = {
  type: "EUR",
  length_mm: 1200,
  width_mm: 800,
  height_mm: 144,
  tare_kg: 25,
  max_load_kg: 1500,
  height_mm_max: 1800,
  overhang_mm: 0,
  stackable: false,
};

const DECK = { x_mm: 0, y_mm: 0, z_mm: 0, length_mm: 1200, width_mm: 800, height_mm: 144 };

/** The first of its pieces only. */
const BUILD = {
  build: 1,
  count: 1,
  length_mm: 1200,
  width_mm: 800,
  height_mm: 1644,
  weight_kg: 601,
  pieces: 48,
  deck: DECK,
  placements: [
    { cargo: "carton", x_mm: 0, y_mm: 0, z_mm: 144, length_mm: 300, width_mm: 400, height_mm: 250 },
  ],
};

const OFF_CENTRE = { length: 0.05, width: 0.05 };

export const loadingExamples: Examples = {
  PlanRequestRead: {
    name: "Order 4711",
    cargo: [PALLET, CARTON],
    containers: [CONTAINER],
    max_off_centre: OFF_CENTRE,
    vehicle: null,
    pallet: EUR,
  },
  OffCentre: OFF_CENTRE,
  name: "Order 4711",
  left_by_reason: {},
  "left[]": [],
  PalletBuild: BUILD,
  LoadedPallet: {
    number: 1,
    build: 1,
    turned: false,
    x_mm: 4149,
    y_mm: 0,
    z_mm: 0,
    length_mm: 1200,
    width_mm: 800,
    height_mm: 1644,
    deck: { ...DECK, x_mm: 4149 },
  },
  "Placement.pallet": 1,
  centre_of_gravity_mm: { x: 2949, y: 1176, z: 1000 },
  "load_per_metre_kg[]": [751.667, 1666.667, 1666.667, 1666.667, 1666.667, 581.667],
  out_of_gauge: null,
  "KeptLimit.limit": "off_centre_length",
  "KeptLimit.axle_group": "drive",
  "KeptLimit.value": 0,
  "KeptLimit.max": 0.05,
  kept: true,
  x_mm: 549,
  y_mm: 1152,
  cargo: "pallet",
  revision: 1,
  "ContainersUsed.type": "20GP",
  "LoadedContainer.type": "20GP",
  count: 1,
  number: 1,
  container_count: 1,
  pieces: 20,
  pieces_placed: 20,
  volume_fill: 0.5784,
  volume_m3: 19.2,
  "LoadedContainer.length_mm": 5898,
  "LoadedContainer.width_mm": 2352,
  "LoadedContainer.height_mm": 2393,
  cylinder_axis: "height",
  "Placement.length_mm": 800,
  "Placement.width_mm": 1200,
  length_mm: 1200,
  width_mm: 800,
  height_mm: 1000,
  weight_kg: 8000,
  max_payload_kg: 28180,
  gross_weight_kg: 10300,
  PLAN_LIMIT: "you have 1000 plans already; delete some first",
  "createPlan.PAYLOAD_TOO_LARGE": TOO_LARGE,
  "changePlan.PAYLOAD_TOO_LARGE": TOO_LARGE,
  "readPlan.NOT_FOUND": "you have no plan of that id",
  "changePlan.NOT_FOUND": "you have no plan of that id",
  "deletePlan.NOT_FOUND": "you have no plan of that id",
};
