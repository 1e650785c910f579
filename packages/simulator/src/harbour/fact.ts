/** What a line says, from when to when it says so: the neutral form that is then written in its own way. */
import type { PlaceCode } from "../world/places.ts";
import type { Vessel } from "./voyages.ts";

export type Fact = {
  /** The trip of the box that it belongs to: 0 the consignment's, below it what went before, above it what follows. */
  readonly trip: number;
  readonly step: Step;
  /** The leg's key; null for what belongs to no leg. */
  readonly leg: number | null;
  /** How far along the way the step is: any two steps of one box have two. */
  readonly order: number;
  /** The box's index; null for all boxes of the consignment. */
  readonly box: number | null;
  readonly classifier: "actual" | "estimated" | "planned";
  readonly atMs: number;
  readonly place: PlaceCode | null;
  readonly vessel: Vessel | null;
  readonly voyage: string | null;
  /** The line calls the move one of a transshipment. */
  readonly onward: boolean;
  /** How the place is written, if not as its plan was. */
  readonly form: PlaceForm;
  /** A box that has come to another terminal of the port. */
  readonly elsewhere: boolean;
  /** The last free day that stands beside it. */
  readonly lastFreeDay: string | null;
  /** The first moment at which it is said, and the first at which it is not any more. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** It belonged to a plan that has been given up at this moment, and stands in the answers still. */
  readonly staleFromMs: number;
  /** Not in the answer any more from this moment on, and true as before. */
  readonly prunedMs: number;
  /** What ends it is the line's taking it back. */
  readonly takenBack: boolean;
};

/** The place's own code, the code of its neighbour in the same harbour, or no code but a name or a terminal. */
export type PlaceForm = "code" | "neighbour" | "name" | "terminal";

export type Step =
  | "booked"
  | "called_off"
  | "pick_up"
  | "gate_in"
  | "load"
  | "put_on"
  | "taken_off"
  | "left"
  | "departure"
  | "call"
  | "call_departure"
  | "anchorage"
  | "arrival"
  | "passed"
  | "discharge"
  | "next_call"
  | "truck_out"
  | "truck_in"
  | "barge_out"
  | "barge_in"
  | "train_out"
  | "train_in"
  | "hold"
  | "clearance"
  | "rail_out"
  | "rail_departure"
  | "rail_arrival"
  | "rail_discharge"
  | "release"
  | "gate_out"
  | "empty_return";
