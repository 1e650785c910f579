/** The demo's middle: lets the journeys pass and looks on until all has come that should. */
import type { Clock } from "../world/clock.ts";
import { isDelivered, type DemoState } from "./state.ts";
import type { JourneyClock } from "./journey-clock.ts";
import type { Display } from "./display.ts";
import { isSettled, readShipments, type Expectation, type Scenario } from "./scenario.ts";

export type WatchOptions = {
  readonly story: Scenario;
  readonly board: DemoState;
  readonly journeys: JourneyClock;
  readonly expected: readonly Expectation[];
  readonly painter: Display;
  readonly clock: Clock;
};

const REFRESH_INTERVAL_MS = 300;

/** How long the board may stand still, on a machine however slow, before the wait is given up. */
const STALL_MS_MAX = 15_000;

/** Resolves when the journeys are over and everything expected is here and settled, or nothing moves any more. */
export async function watchScenario({
  story,
  board,
  journeys,
  expected,
  painter,
  clock,
}: WatchOptions): Promise<void> {
  let begun = false;
  let seen = "";
  let movedMs = clock.monotonicMs();
  for (;;) {
    board.shipments = await readShipments(story, board.shipments);
    painter.refresh();
    // What a box has done before it was first looked at is no news of it.
    if (!begun && board.shipments.every(({ status }) => status !== "pending")) {
      journeys.begin();
      begun = true;
      painter.showStatus("the journeys begin: weeks pass in seconds, the quiet days faster");
    }
    const isAllHere = expected.every(({ isMet }) => isMet(board)) && board.rows().every(isDelivered);
    if (journeys.isOver() && isAllHere && (await isSettled(story))) return;

    const shown = JSON.stringify([board.shipments, board.rows()]);
    if (shown !== seen) movedMs = clock.monotonicMs();
    seen = shown;
    if (clock.monotonicMs() - movedMs > STALL_MS_MAX) return;
    await new Promise<void>((resolve) => clock.after(REFRESH_INTERVAL_MS, resolve));
  }
}
