/**
 * Whether this process can serve at the moment (`/readyz`).
 *
 *     starting ─started()─▶ serving ─ending()─▶ ending
 *        not ready            ready while no check has a reason against it
 */
import type { Clock } from "../runtime/clock.ts";

/** Says why the process cannot serve, in plain words, or null. Must not reject. */
export type Check = () => string | null | Promise<string | null>;

/** By names that say what is checked: they follow "the" in a sentence. */
export type Checks = Readonly<Record<string, Check>>;

/** Why a process is not ready, by the name of the check that says so; empty: it is ready. */
export type Reasons = Readonly<Record<string, string>>;

export type Readiness = {
  reasons(): Promise<Reasons>;
  /** Everything is started: from now on the checks decide. */
  started(): void;
  /** The process is ending: from now on it is not ready, whatever the checks say, and nothing is checked. */
  stopping(): void;
};

/** A check that takes longer has failed. */
const CHECK_MS_MAX = 2_000;

const PHASES = { starting: "the service is starting", stopping: "the service is stopping" } as const;

export function createReadiness(checks: Checks, clock: Clock): Readiness {
  let phase: "starting" | "serving" | "stopping" = "starting";
  const bounded = Object.entries(checks).map(([name, check]) => ({
    name,
    ask: withTimeout(name, check, clock),
  }));

  async function failing(): Promise<Reasons> {
    const told = await Promise.all(bounded.map(async ({ name, ask }) => [name, await ask()] as const));
    return Object.fromEntries(told.filter((one): one is readonly [string, string] => one[1] !== null));
  }

  return {
    async reasons() {
      const reasons = phase === "serving" ? await failing() : {};
      // The process may have begun to end meanwhile.
      return phase === "serving" ? reasons : { service: PHASES[phase] };
    },
    started() {
      phase = "serving";
    },
    stopping() {
      phase = "stopping";
    },
  };
}

/** The check with a bound on its time. Whoever asks meanwhile gets the same answer: probes cost one check at a time. */
function withTimeout(name: string, check: Check, clock: Clock): Check {
  let asking: Promise<string | null> | null = null;
  return () => {
    const asked = asking ?? check();
    if (asked === null || typeof asked === "string") return asked;
    asking ??= asked.finally(() => {
      asking = null;
    });
    let cancel = () => {};
    const late = new Promise<string>((resolve) => {
      cancel = clock.after(CHECK_MS_MAX, () => resolve(`the ${name} has not answered in ${CHECK_MS_MAX} ms`));
    });
    return Promise.race([asking, late]).finally(() => cancel());
  };
}
