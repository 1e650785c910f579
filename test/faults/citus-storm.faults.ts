import { test } from "node:test";

import { noCitus } from "../support/citus.ts";
import { weather } from "./cells-storm.ts";

test(
  "cells that move, a killed worker, a killed coordinator and a frozen worker cost nothing accepted, and no other cell a thing",
  { skip: noCitus() },
  async (t) => {
    await weather(t, {
      cells: 4,
      accountsACell: 2,
      events: 10_000,
      eventsACall: 5,
      pauseMs: 20,
      downMs: 4_000,
      frozenMs: 9_000,
      rounds: 1,
      calmMs: 3_000,
      startsWhileFrozen: false,
    });
  },
);
