/** The storm of `test/faults/cells-storm.ts` over eight cells and 200,000 events: some fifteen minutes. */
import { test } from "node:test";

import { weather } from "../faults/cells-storm.ts";
import { noCitus } from "../support/citus.ts";

test(
  "200,000 events over eight cells that move, whose workers and coordinator die and freeze, are all delivered",
  { skip: noCitus() },
  async (t) => {
    await weather(t, {
      cells: 8,
      accountsACell: 2,
      events: 200_000,
      eventsACall: 20,
      pauseMs: 20,
      downMs: 8_000,
      frozenMs: 35_000,
      rounds: 2,
      calmMs: 20_000,
      startsWhileFrozen: true,
    });
  },
);
