/** What happens in a world, made from its seed: which steps, when, and with what chance statements and answers go wrong. */
import { chanceOf } from "./chance.ts";

/** How a receiver answers from a step on. */
export const RECEIVES = ["ok", "created", "error", "redirect", "slow", "hang", "refuse", "flaky"] as const;
export type Receives = (typeof RECEIVES)[number];

export const SENT_PRODUCTS = ["tracking", "air", "schedules"] as const;

/** Nodes, endpoints and accounts are numbers: whichever exists then, counted around. */
export type Step = { readonly atMs: number } & Action;

export type Action =
  | {
      readonly do: "raise";
      readonly node: number;
      readonly account: number;
      readonly product: number;
      readonly events: number;
      readonly isKeyed: boolean;
    }
  | { readonly do: "again"; readonly node: number }
  | {
      readonly do: "register";
      readonly node: number;
      readonly account: number;
      readonly product: number;
      readonly isOfOneType: boolean;
    }
  | {
      readonly do: "pause" | "activate" | "describe" | "delete" | "ping" | "read";
      readonly node: number;
      readonly endpoint: number;
    }
  | { readonly do: "track"; readonly node: number; readonly number: number }
  | { readonly do: "receive"; readonly endpoint: number; readonly how: Receives }
  | { readonly do: "kill" | "stop"; readonly node: number; readonly downMs: number }
  | { readonly do: "freeze"; readonly node: number; readonly forMs: number }
  | { readonly do: "jump"; readonly node: number; readonly ms: number }
  | { readonly do: "part"; readonly node: number; readonly forMs: number }
  | { readonly do: "away" | "full"; readonly forMs: number }
  | {
      readonly do: "faulty";
      readonly forMs: number;
      readonly cutBefore: number;
      readonly cutAfter: number;
      readonly refuse: number;
      readonly code: string;
    }
  | { readonly do: "slow"; readonly forMs: number; readonly ms: number };

export type Story = {
  readonly seed: number;
  readonly nodes: number;
  readonly cells: number;
  /** Containers are tracked, and carriers polled. */
  readonly hasSources: boolean;
  /** How the first endpoints answer at the beginning. */
  readonly receives: readonly Receives[];
  readonly steps: readonly Step[];
  /** How long something happens; then everything heals. */
  readonly lastsMs: number;
};

const CALLS = [
  ...Array.from({ length: 10 }, () => "raise" as const),
  "again",
  "register",
  "pause",
  "activate",
  "describe",
  "delete",
  "ping",
  "read",
] as const;
export const FAULTS = ["kill", "stop", "freeze", "part", "jump", "away", "full", "faulty", "slow"] as const;

/** Where no fault lasts. */
export const NO_FAULT = "none";

/** Refusals of a server: too many connections, out of memory, disk full, a deadlock, a statement cancelled, it shuts down. */
const CODES = ["53300", "53200", "53100", "40P01", "57014", "57P01"];

const STORY_MS = 120_000;

export function storyOf(seed: number): Story {
  const chance = chanceOf(seed);
  const below = (count: number) => Math.floor(chance() * count);
  const oneOf = <T>(some: readonly T[]): T => some[below(some.length)]!;
  // Each world has faults of some kinds alone, so that some worlds have many of one kind; some have none.
  const kinds = FAULTS.filter(() => chance() < 0.45);
  const receives = RECEIVES.filter((one) => one === "ok" || chance() < 0.5);
  const steps: Step[] = [];
  const at = () => Math.floor(chance() * STORY_MS);
  for (let count = 20 + below(80); count > 0; count--) steps.push({ atMs: at(), ...call() });
  for (let count = below(12); count > 0; count--)
    steps.push({ atMs: at(), do: "receive", endpoint: below(8), how: oneOf(receives) });
  if (kinds.length > 0)
    for (let count = 1 + below(7); count > 0; count--) steps.push({ atMs: at(), ...fault(oneOf(kinds)) });
  const around = {
    nodes: 1 + below(3),
    cells: 1 + below(2),
    receives: Array.from({ length: 4 }, () => oneOf(receives)),
  };
  const hasSources = chance() < 0.3;
  if (hasSources)
    for (let number = 0; number < 10; number++)
      steps.push({ atMs: Math.floor(at() / 2), do: "track", node: below(6), number });
  steps.sort((one, other) => one.atMs - other.atMs);
  return {
    seed,
    ...around,
    hasSources,
    steps,
    lastsMs: STORY_MS,
  };

  function call(): Action {
    const what = oneOf(CALLS);
    const node = below(6);
    switch (what) {
      case "raise":
        return {
          do: what,
          node,
          account: below(2),
          product: below(3),
          events: 1 + below(chance() < 0.15 ? 40 : 3),
          isKeyed: chance() < 0.3,
        };
      case "again":
        return { do: what, node };
      case "register":
        return { do: what, node, account: below(2), product: below(3), isOfOneType: chance() < 0.5 };
      default:
        return { do: what, node, endpoint: below(8) };
    }
  }

  function fault(what: (typeof FAULTS)[number]): Action {
    const node = below(6);
    switch (what) {
      case "kill":
      case "stop":
        return { do: what, node, downMs: below(40_000) };
      case "freeze":
        return { do: what, node, forMs: oneOf([50, 2_000, 12_000, 45_000, 130_000]) };
      case "part":
        return { do: what, node, forMs: oneOf([300, 8_000, 45_000]) };
      case "jump":
        return { do: what, node, ms: oneOf([-3_600_000, -20_000, 20_000, 3_600_000]) };
      case "away":
      case "full":
        return { do: what, forMs: oneOf([10, 1_000, 8_000, 40_000]) };
      case "faulty":
        return {
          do: what,
          forMs: 1_000 + below(30_000),
          cutBefore: chance() * 0.05,
          cutAfter: chance() * 0.05,
          refuse: chance() * 0.1,
          code: oneOf(CODES),
        };
      case "slow":
        return { do: what, forMs: 1_000 + below(30_000), ms: oneOf([20, 300, 3_000]) };
    }
  }
}

/** A step in a line, for a person. */
export function lineOf({ atMs, ...action }: Step): string {
  const { do: what, ...rest } = action;
  const fields = Object.entries(rest).map(
    ([key, value]) => `${key} ${typeof value === "number" ? Number(value.toFixed(3)) : value}`,
  );
  return `${(atMs / 1_000).toFixed(3).padStart(9)} s  ${what} ${fields.join(", ")}`;
}
