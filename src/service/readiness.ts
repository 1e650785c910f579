/**
 * Whether this process can serve at the moment (`/readyz`).
 *
 *     starting ─started()─▶ serving ─draining()─▶ draining ─stopping()─▶ stopping
 *        not ready            │ ready while no        not ready, and serves on   ▲
 *                             │ check is against it                              │
 *                             └────────────────────stopping()────────────────────┘
 */
import type { Clock } from "../runtime/clock.ts";
import type { DirectoryFeed } from "../store/accounts/directory-feed.ts";

/** Says why the process cannot serve, in plain words, or null. Must not reject. */
export type Check = () => string | null | Promise<string | null>;

/** By names that say what is checked: they follow "the" in a sentence. */
export type Checks = Readonly<Record<string, Check>>;

export type Readiness = {
  /** By the name of the check; empty: the process is ready. */
  reasons(): Promise<Readonly<Record<string, string>>>;
  /** From now on the checks decide. */
  started(): void;
  /** From now on the process is not ready, and nothing is checked: balancers are to turn away before it stops. */
  draining(): void;
  /** From now on it takes nothing more. */
  stopping(): void;
};

const CHECK_MS_MAX = 2_000;

const PHASES = {
  starting: "the service is starting",
  draining: "the service is draining",
  stopping: "the service is stopping",
} as const;

export function createReadiness(checks: Checks, clock: Clock): Readiness {
  let phase: keyof typeof PHASES | "serving" = "starting";
  const bounded = Object.entries(checks).map(([name, check]) => ({
    name,
    ask: withTimeout(name, check, clock),
  }));

  async function failing(): Promise<Readonly<Record<string, string>>> {
    const told = await Promise.all(bounded.map(async ({ name, ask }) => [name, await ask()] as const));
    return Object.fromEntries(told.filter((one): one is readonly [string, string] => one[1] !== null));
  }

  return {
    async reasons() {
      const reasons = phase === "serving" ? await failing() : {};
      // The process may have begun to stop during the checks.
      return phase === "serving" ? reasons : { service: PHASES[phase] };
    },
    started() {
      phase = "serving";
    },
    draining() {
      phase = "draining";
    },
    stopping() {
      phase = "stopping";
    },
  };
}

/** Bounds the check's time. Probes share a running check: they cost one at a time. */
export function withTimeout(name: string, check: Check, clock: Clock): Check {
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

/** Every node has the same directory: one that does not answer takes none of them out of service. */
export function directoryTrouble(feed: Pick<DirectoryFeed, "isSilent">): Readonly<Record<string, string>> {
  if (!feed.isSilent()) return {};
  return { directory: "the directory does not answer: keys that this node knows go on, others get 503" };
}
