import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Loops } from "../runtime/loops.ts";
import type { Random } from "../runtime/random.ts";
import type { Database } from "../store/database.ts";
import type { Dispatch } from "./dispatch.ts";
import type { Routes } from "./route.ts";
import type { Invariants } from "./invariants.ts";
import type { EngineSettings } from "./settings.ts";
import type { Window } from "./window.ts";

/** What the work in all cells shares. */
export type EngineParts = {
  readonly settings: EngineSettings;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly dispatch: Dispatch;
  readonly window: Window;
  readonly invariants: Invariants;
  readonly loops: Loops;
  readonly routes: Routes;
  /** False on a node that raises and leaves the sending to others. */
  readonly delivers: boolean;
  /** Starts attempts at the end of the current turn of the event loop. */
  readonly pumpSoon: () => void;
  /** Resolves once the window has room, or after a bounded wait. */
  readonly room: () => Promise<void>;
  /** The window may have room again. */
  readonly roomMade: () => void;
};
