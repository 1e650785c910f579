/** Load plans as the API's document describes them. */
import Type from "typebox";

import { LEFT_REASONS, planSummaryFields } from "../event-data.ts";
import { nullable, UtcDateTime } from "../../../model/data-types.ts";
import type { PlannerBusy } from "../planner.ts";
import { RequestViewSchema } from "./request-schema.ts";
import type { Refusal } from "../../../http/refusal.ts";

export const PlanPath = Type.Object({ id: Type.String({ description: "the plan's id, a UUID" }) });

export const NO_PLAN: Refusal = { code: "NOT_FOUND", message: "you have no plan of that id" };

/** Plans take a second or two each. */
const BUSY_RETRY_S = 5;

const BUSY_MESSAGES: Readonly<Record<PlannerBusy["reason"], string>> = {
  account_limit: "plans of yours are being made already; wait for one of them",
  queue_full: "too many plans are being made at the moment; try again",
  timeout: "your plan took too long and was given up; try again later, or with fewer kinds of cargo at once",
  stopping: "the service is ending; try again",
};

/** What to tell whoever's plan cannot be made now. */
export function plannerBusyRefusal({ reason }: PlannerBusy): Refusal {
  return {
    code: reason === "account_limit" ? "RATE_LIMITED" : "UNAVAILABLE",
    message: BUSY_MESSAGES[reason],
    headers: { "retry-after": String(BUSY_RETRY_S) },
  };
}

const listedPlanFields = {
  id: Type.String({ format: "uuid" }),
  name: nullable(Type.String()),
  revision: Type.Integer({ description: "1 when made, and one more with each change" }),
  created_at: UtcDateTime,
  updated_at: UtcDateTime,
  summary: Type.Object(planSummaryFields, { title: "PlanSummary" }),
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
    y_mm: Type.Integer({ description: "from the wall on the left, looking from the door" }),
    z_mm: Type.Integer({ description: "from the floor" }),
    ...extentFields,
  },
  {
    title: "Placement",
    description:
      "one piece: the corner nearest to the front, the left and the floor, and its extents as it lies",
  },
);

const LoadedContainer = Type.Object(
  {
    number: Type.Integer({ description: "from 1" }),
    type: Type.String(),
    ...extentFields,
    pieces: Type.Integer(),
    volume_fill: Type.Number({ description: "0 to 1, of the inner volume" }),
    weight_kg: Type.Number({ description: "of the cargo in it" }),
    max_payload_kg: Type.Number(),
    gross_weight_kg: nullable(Type.Number({ description: "with the tare; null where that is not known" })),
    centre_of_gravity_mm: nullable(
      Type.Object(
        { x: Type.Integer(), y: Type.Integer(), z: Type.Integer() },
        { title: "Point", description: "of the cargo, each piece's weight in its middle" },
      ),
    ),
    placements: Type.Array(Placement),
  },
  { title: "LoadedContainer" },
);

const LeftBehind = Type.Object(
  { cargo: Type.String(), count: Type.Integer(), reason: Type.Enum([...LEFT_REASONS]) },
  { title: "LeftBehind", description: "pieces of one line that have no place, and why" },
);

export const PlanSchema = Type.Object(
  {
    ...listedPlanFields,
    containers: Type.Array(LoadedContainer),
    left: Type.Array(LeftBehind),
    request: RequestViewSchema,
  },
  { title: "Plan" },
);
