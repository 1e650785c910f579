import type { Additional } from "./shape.ts";

/** The data of load planning's events (spec 6.2): the summary of a plan. Read the plan for its pieces. */
export type LoadingEvents = {
  readonly plan_created: LoadPlanData;
  readonly plan_updated: LoadPlanData;
};

export type LoadPlanData = Additional & {
  readonly plan_id: string;
  readonly name: string | null;
  /** 1 at creation, plus one with each change. */
  readonly revision: number;
  /** The number of each type used. */
  readonly containers: readonly { readonly type: string; readonly count: number }[];
  readonly container_count: number;
  readonly pieces: number;
  readonly pieces_placed: number;
  readonly pieces_left: number;
  /** Only reasons that apply. */
  readonly left_by_reason: {
    readonly too_large?: number;
    readonly too_heavy?: number;
    readonly no_room?: number;
  };
  /** 0 to 1; null when no container is used. */
  readonly volume_fill: number | null;
  readonly volume_m3: number;
  readonly weight_kg: number;
};
