/** What happens in a world, made from its seed: which steps, when, and with what chance statements and answers go wrong. */
import { chanceOf } from "./chance.ts";
import { NOTICED_MS_MAX, RECOVERED_MS_MAX } from "./observed.ts";

/** How a receiver answers from a step on. */
export const RECEIVES = ["ok", "created", "error", "redirect", "slow", "hang", "reset", "flaky"] as const;
export type Receives = (typeof RECEIVES)[number];

export const SENT_PRODUCTS = ["tracking", "air", "schedules"] as const;

/** Nodes, endpoints and accounts are numbers: whichever exists then, counted around. */
export type Step = {
  readonly atMs: number;
  /**
   * It comes when a source says what it did not say before, or when a node has applied a broadcast in a cell, and is to
   * delete the message; what happens to a node happens to that one.
   */
  readonly waitsFor?: "poll" | "message";
} & Action;

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
  /** A node more, that makes a cell more. */
  | { readonly do: "grow" }
  /** An account, and an endpoint of it. */
  | { readonly do: "open"; readonly node: number }
  | { readonly do: "rotate"; readonly node: number; readonly account: number; readonly prefix: string }
  | { readonly do: "lend"; readonly node: number; readonly account: number }
  | { readonly do: "entitle"; readonly node: number; readonly account: number; readonly isOn: boolean }
  | { readonly do: "track"; readonly node: number; readonly number: number }
  | { readonly do: "receive"; readonly endpoint: number; readonly how: Receives }
  | HostChange
  | { readonly do: "kill" | "stop"; readonly node: number; readonly downMs: number }
  | { readonly do: "freeze"; readonly node: number; readonly forMs: number }
  | { readonly do: "jump"; readonly node: number; readonly ms: number }
  | { readonly do: "part"; readonly node: number; readonly forMs: number }
  | { readonly do: "away" | "full" | "names"; readonly forMs: number }
  | { readonly do: "directory"; readonly isSilent: boolean; readonly forMs: number }
  | { readonly do: "worker"; readonly number: number; readonly isSilent: boolean; readonly forMs: number }
  | {
      readonly do: "faulty";
      readonly forMs: number;
      readonly cutBefore: number;
      readonly cutAfter: number;
      readonly refuse: number;
      readonly code: string;
    }
  | { readonly do: "slow"; readonly forMs: number; readonly ms: number }
  | { readonly do: "stall"; readonly forMs: number; readonly share: number; readonly ms: number };

/** A host of receivers gets another address, or for a while takes no connections, or its name leads elsewhere. */
export type HostChange = {
  readonly do: "host";
  readonly host: number;
  readonly how: "moves" | "closed" | "private" | "unknown";
  readonly forMs: number;
};

/** A first start that ends in the middle, of its migrations mostly: the node dies, or loses the database. */
export type BrokenStart = { readonly afterMs: number; readonly how: "kill" | "cut" };

export type Story = {
  readonly seed: number;
  readonly brokenStarts: readonly BrokenStart[];
  readonly nodes: number;
  readonly cells: number;
  /** Cells live on two servers, the directory on another. */
  readonly isSplit: boolean;
  /** Containers are tracked, and carriers polled. */
  readonly hasSources: boolean;
  /** Carriers take a while to answer. */
  readonly areSourcesSlow: boolean;
  /** How the first endpoints answer at the beginning. */
  readonly receives: readonly Receives[];
  /** It has the ladder in its full length, and sees retention; elsewhere the ladder is shortened. */
  readonly isPatient: boolean;
  readonly steps: readonly Step[];
  /** Then everything heals. */
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
const DRAWN_FAULTS = [
  "kill",
  "stop",
  "freeze",
  "part",
  "jump",
  "away",
  "full",
  "faulty",
  "slow",
  "stall",
] as const;
/** Those of every world; the others are of crowded ones. */
const COMMON_FAULTS = DRAWN_FAULTS.filter((one) => one !== "stall");

/** "names": name servers say nothing; "directory", "worker": one server of several is away, or silent. */
export const FAULTS = [...DRAWN_FAULTS, "directory", "worker", "names"] as const;

/** Where no fault lasts. */
export const NO_FAULT = "none";
export const ANY_FAULT = "any";

/** Refusals of a server: too many connections, out of memory, disk full, a deadlock, a statement cancelled, it shuts down. */
const CODES = ["53300", "53200", "53100", "40P01", "57014", "57P01"];

/** Other chance than that of what happens elsewhere. */
const OF_RIGHTS = 0x41_63_70;
const OF_HOSTS = 0x1f_3a_0b;
const OF_STARTS = 0x5c_91_e2;
const OF_SERVERS = 0x27_d4_9f;
const OF_CALM = 0x63_b8_15;
/** Within it, a node makes all tables. */
const STARTING_MS = 300;

/** How long something happens, before it is calm. */
export const STORY_MS = 120_000;
/** After all that has happened: what a fault cost is made good, and rules are strict again. */
const CALM_AFTER_MS = NOTICED_MS_MAX + RECOVERED_MS_MAX + 2_000;
/** The ladder, and some more. */
const CALM_MS = 45_000;
const FIRST_ENDPOINTS = 4;
export const FIRST_ACCOUNTS = 2;
/** After a cell was added: all nodes use it. */
const OPENED_MS = 20_000;

/** One world in so many has hours. */
const PATIENT_EVERY = 32;
/** The ladder up to the sixth attempt, and some more. */
const PATIENT_MS = 10_000_000;
const PATIENT_RAISES_MS = 600_000;
/** After an event was raised, when its attempts are due. */
const DUE_MS = [0, 10_000, 70_000, 370_000, 2_170_000, 9_370_000];
/** Nothing is said of a day's history where clocks jump. */
const PATIENT_FAULTS = COMMON_FAULTS.filter((one) => one !== "jump");
/** So that the whole ladder is climbed. */
const PATIENT_RECEIVES = ["ok", "error", "redirect", "hang", "reset", "flaky", "flaky"] as const;

/** Most take what they are sent, so that few are disabled. */
const CROWDED_RECEIVES = ["ok", "created", "slow", "slow", "slow", "flaky", "hang"] as const;
/** From one crowd to the next: a lease, and some more. */
const MOMENT_MS = 40_000;
/** An action of a crowd comes so soon after its events. */
const SOON_MS = 8_000;
/** The likeliest ones cost a node what it had. */
const CROWDED_FAULTS: readonly FaultKind[] = [...DRAWN_FAULTS, "kill", "freeze", "part", "faulty", "stall"];
const SWITCHES = ["pause", "pause", "activate", "activate", "describe"] as const;

/** What a story draws from its seed. */
type Draw = {
  readonly chance: () => number;
  readonly below: (count: number) => number;
  readonly oneOf: <T>(some: readonly T[]) => T;
  /** A time of the story. */
  readonly atMs: () => number;
};

type FaultKind = (typeof DRAWN_FAULTS)[number];

export function storyOf(seed: number): Story {
  const draw = drawOf(seed);
  if (seed % PATIENT_EVERY === 8) return patientOf(seed, draw);
  const { chance, below, oneOf } = draw;
  // Each world has faults of some kinds alone, so that some worlds have many of one kind; some have none.
  const kinds: readonly FaultKind[] = COMMON_FAULTS.filter(() => chance() < 0.45);
  const receives = RECEIVES.filter((one) => one === "ok" || chance() < 0.5);
  const steps: Step[] = [];
  for (let count = 20 + below(80); count > 0; count--) steps.push({ atMs: draw.atMs(), ...callOf(draw) });
  for (let count = below(12); count > 0; count--)
    steps.push({ atMs: draw.atMs(), do: "receive", endpoint: below(8), how: oneOf(receives) });
  if (kinds.length > 0)
    for (let count = 1 + below(7); count > 0; count--)
      steps.push({ atMs: draw.atMs(), ...faultOf(draw, oneOf(kinds)) });
  const plain = {
    nodes: 1 + below(3),
    cells: 1 + below(2),
    receives: Array.from({ length: FIRST_ENDPOINTS }, () => oneOf(receives)),
  };
  const hasSources = chance() < 0.3;
  if (hasSources)
    for (let number = 0; number < 10; number++)
      steps.push({ atMs: Math.floor(draw.atMs() / 2), do: "track", node: below(6), number });
  // Every other world.
  const isCrowded = seed % 2 === 1;
  const away = serversOf(seed);
  const { crowd, ...around } = isCrowded ? { ...plain, ...crowded(draw) } : { ...plain, crowd: [] };
  const own = isCrowded ? steps.filter(isCall) : steps;
  const others = [...own, ...rightsOf(seed), ...hostsOf(seed), ...away];
  const calm = calmOf(seed, [...others, ...crowd]);
  // Nobody knows when what waits will come.
  const timed = hasSources && calm.length === 0 ? crowd.map(ambushing) : crowd;
  return {
    seed,
    brokenStarts: startsOf(seed),
    ...around,
    isSplit: away.length > 0,
    hasSources,
    areSourcesSlow: isCrowded,
    isPatient: false,
    steps: [...others, ...timed, ...calm].toSorted((one, other) => one.atMs - other.atMs),
    lastsMs: Math.max(STORY_MS, ...calm.map(endOf)),
  };
}

/** When a step's effect is over. */
function endOf(step: Step): number {
  const lastsMs = "forMs" in step ? step.forMs : "downMs" in step ? step.downMs : 0;
  return step.atMs + lastsMs + (step.do === "stall" ? step.ms : 0);
}

/**
 * In one of three worlds whose clocks do not jump, receivers go on failing when no fault is near: what is sent then, and when,
 * is strictly judged.
 */
function calmOf(seed: number, before: readonly Step[]): readonly Step[] {
  const draw = drawOf(seed ^ OF_CALM);
  const { chance, below, oneOf } = draw;
  if (chance() > 0.33 || before.some((step) => step.do === "jump")) return [];
  const fromMs = Math.max(...before.map(endOf)) + CALM_AFTER_MS;
  const atMs = () => Math.floor(fromMs + chance() * CALM_MS);
  const registered = Array.from({ length: 3 }, (_, product): Step => {
    return { atMs: fromMs, do: "register", node: below(6), account: below(2), product, isOfOneType: false };
  });
  const received = Array.from({ length: 6 }, (): Step => {
    return { atMs: atMs(), do: "receive", endpoint: below(20), how: oneOf(PATIENT_RECEIVES) };
  });
  const called = Array.from({ length: 30 + below(30) }, () => ({ atMs: atMs(), ...callOf(draw) }));
  return [...registered, ...received, ...called];
}

/** Keys, links and entitlements that change, in two of three worlds. What is tracked belongs to the first account. */
function rightsOf(seed: number): readonly Step[] {
  const { chance, below, oneOf, atMs } = drawOf(seed ^ OF_RIGHTS);
  const made = (): Action => {
    const node = below(6);
    const account = below(FIRST_ACCOUNTS);
    switch (oneOf(["rotate", "lend", "entitle"] as const)) {
      case "rotate":
        return { do: "rotate", node, account, prefix: oneOf(["tracking", "schedules"]) };
      case "lend":
        return { do: "lend", node, account };
      case "entitle":
        return { do: "entitle", node, account: 1, isOn: chance() < 0.5 };
    }
  };
  return Array.from({ length: Math.max(0, below(9) - 2) }, () => ({ atMs: atMs(), ...made() }));
}

/** In one of two worlds. */
function startsOf(seed: number): readonly BrokenStart[] {
  const { chance, below, oneOf } = drawOf(seed ^ OF_STARTS);
  return Array.from({ length: Math.max(0, below(7) - 3) }, () => ({
    afterMs: chance() * STARTING_MS,
    how: oneOf(["kill", "cut"]),
  }));
}

/** Names and hosts of receivers that change, in one of two worlds. */
function hostsOf(seed: number, givenAtMs?: () => number): readonly Step[] {
  const { chance, below, oneOf, ...drawn } = drawOf(seed ^ OF_HOSTS);
  const atMs = givenAtMs ?? drawn.atMs;
  return Array.from({ length: Math.max(0, below(8) - 3) }, () => {
    const forMs = oneOf([1_000, 8_000, 30_000]);
    return chance() < 0.25
      ? { atMs: atMs(), do: "names", forMs }
      : {
          atMs: atMs(),
          do: "host",
          host: below(3),
          how: oneOf(["moves", "closed", "private", "unknown"]),
          forMs,
        };
  });
}

/** Servers of the database that are away by themselves, in one of three worlds. */
function serversOf(seed: number): readonly Step[] {
  const { chance, below, oneOf, atMs } = drawOf(seed ^ OF_SERVERS);
  return Array.from({ length: Math.max(0, below(9) - 5) }, () => {
    const how = { forMs: oneOf([1_000, 8_000, 40_000]), isSilent: chance() < 0.3 };
    return chance() < 0.75
      ? { atMs: atMs(), do: "directory", ...how }
      : { atMs: atMs(), do: "worker", number: below(2), ...how };
  });
}

/** Hours in which things fail mostly when the next attempt of something is due. */
function patientOf(seed: number, draw: Draw): Story {
  const { chance, below, oneOf } = draw;
  const atMs = () => Math.floor(chance() * PATIENT_MS);
  const early = (action: Action) => Math.floor(action.do === "raise" ? chance() * PATIENT_RAISES_MS : atMs());
  const steps: Step[] = [];
  for (let count = 20 + below(20); count > 0; count--) {
    const action = callOf(draw);
    steps.push({ atMs: early(action), ...action });
  }
  for (let count = below(8); count > 0; count--)
    steps.push({ atMs: atMs(), do: "receive", endpoint: below(8), how: oneOf(RECEIVES) });
  const raised = steps.filter((step) => step.do === "raise");
  const dueMs = () => {
    const nearMs = (raised.length > 0 ? oneOf(raised).atMs : 0) + oneOf(DUE_MS) + below(10_000) - 5_000;
    return Math.min(Math.max(0, nearMs), PATIENT_MS);
  };
  for (let count = 4 + below(16); count > 0; count--)
    steps.push({ atMs: dueMs(), ...faultOf(draw, oneOf(PATIENT_FAULTS)) });
  return {
    seed,
    brokenStarts: startsOf(seed),
    nodes: 1 + below(2),
    cells: 1,
    isSplit: false,
    receives: Array.from({ length: FIRST_ENDPOINTS }, () => oneOf(PATIENT_RECEIVES)),
    hasSources: false,
    areSourcesSlow: false,
    isPatient: true,
    steps: [...steps, ...hostsOf(seed, dueMs)].toSorted((one, other) => one.atMs - other.atMs),
    lastsMs: PATIENT_MS,
  };
}

/** A third of the faults of a crowd wait for a poll, a third for a message. */
function ambushing(step: Step): Step {
  if (isCall(step)) return step;
  const waitsFor = (["poll", "message", null] as const)[step.atMs % 3]!;
  return waitsFor === null ? step : { ...step, waitsFor };
}

function isCall({ do: what }: Step): boolean {
  return !FAULTS.some((kind) => kind === what);
}

function drawOf(seed: number): Draw {
  const chance = chanceOf(seed);
  const below = (count: number) => Math.floor(chance() * count);
  return {
    chance,
    below,
    oneOf: (some) => some[below(some.length)]!,
    atMs: () => Math.floor(chance() * STORY_MS),
  };
}

/**
 * Endpoints are slow, and have many events at once; what goes wrong, of one kind, comes while these wait, and mostly to the
 * node where they do. What goes wrong everywhere would keep callers from raising them.
 */
function crowded(draw: Draw) {
  const { chance, below, oneOf } = draw;
  const nodes = 2 + below(2);
  const receives = Array.from({ length: FIRST_ENDPOINTS }, () => oneOf(CROWDED_RECEIVES));
  const kind = oneOf(CROWDED_FAULTS);
  const crowd: Step[] = [];
  for (let momentMs = 0; momentMs < STORY_MS; momentMs += MOMENT_MS) {
    const atMs = momentMs + below(SOON_MS);
    const endpoint = below(FIRST_ENDPOINTS);
    const [account, product] = [endpoint % 2, endpoint % 3];
    const burst = { events: 30 + below(60), isKeyed: chance() < 0.3 };
    const node = below(6);
    crowd.push({ atMs, do: "raise", node, account, product, ...burst });
    const soonMs = () => Math.floor(atMs + 100 + chance() * SOON_MS);
    if (chance() < 0.8) crowd.push({ atMs: soonMs(), ...aimed(draw, kind, node) });
    for (let more = below(3); more > 0; more--)
      crowd.push({ atMs: soonMs(), do: oneOf(SWITCHES), node: below(6), endpoint });
  }
  if (chance() < 0.3) crowd.push(...grown(draw));
  return { nodes, receives, crowd };
}

/** A cell is added while all goes on; the next account lives there, and is sent what is raised for it. */
function grown({ chance, below }: Draw): readonly Step[] {
  const grownMs = Math.floor(chance() * (STORY_MS / 3));
  const openedMs = grownMs + OPENED_MS;
  const raised = Array.from({ length: 4 + below(8) }, (): Step => {
    const atMs = Math.floor(openedMs + chance() * (STORY_MS - openedMs));
    const what = { account: FIRST_ACCOUNTS, product: 0, events: 1 + below(30), isKeyed: chance() < 0.3 };
    return { atMs, do: "raise", node: below(6), ...what };
  });
  return [{ atMs: grownMs, do: "grow" }, { atMs: openedMs, do: "open", node: below(6) }, ...raised];
}

/** Worse than elsewhere: many statements are lost, a node is away for longer than its lease. */
function aimed(draw: Draw, kind: FaultKind, node: number): Action {
  const { chance, oneOf } = draw;
  const drawn = faultOf(draw, kind);
  const action = "node" in drawn && chance() < 0.8 ? { ...drawn, node } : drawn;
  switch (action.do) {
    case "faulty":
      return { ...action, cutBefore: chance() * 0.2, cutAfter: chance() * 0.4, refuse: chance() * 0.2 };
    case "stall":
      return { ...action, share: 0.1 + chance() * 0.4 };
    case "freeze":
    case "part":
      return { ...action, forMs: oneOf([12_000, 33_000, 36_000, 45_000, 130_000]) };
    default:
      return action;
  }
}

function callOf({ chance, below, oneOf }: Draw): Action {
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

function faultOf({ chance, below, oneOf }: Draw, what: FaultKind): Action {
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
    case "stall":
      return {
        do: what,
        forMs: 1_000 + below(15_000),
        share: 0.02 + chance() * 0.2,
        ms: oneOf([2_000, 15_000, 40_000, 130_000]),
      };
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
