/** A world as its parts see it. */
import type { Hosts } from "./hosts.ts";
import type { ShownStatuses } from "./journeys.ts";
import type { Sources } from "./sources.ts";
import type { Node } from "./node.ts";
import type {
  Arrival,
  Fault,
  KnownEndpoint,
  Look,
  RaisedCall,
  Readiness,
  Entitled,
  Knock,
  Metered,
  Revoked,
  Served,
  ShownEndpoint,
} from "./observed.ts";
import type { SimulatedServer } from "./postgres.ts";
import { ANY_FAULT, NO_FAULT, type Receives, type Step, type Story } from "./story.ts";
import { type Owner, worldMs } from "./time.ts";

export type World = {
  readonly story: Story;
  readonly chance: () => number;
  readonly nodes: Node[];
  readonly accounts: Account[];
  readonly endpoints: KnownEndpoint[];
  readonly raised: RaisedCall[];
  /** Raised with a key, to be raised again. */
  readonly keyed: { readonly call: RaisedCall; readonly body: unknown }[];
  /** URLs whose registration has no answer yet, or never got one. */
  readonly unanswered: Set<string>;
  readonly pings: Set<string>;
  /** Endpoints. */
  readonly pingsUnknown: Set<string>;
  readonly arrivals: Arrival[];
  /** How many attempts of each delivery have ended. */
  readonly attempts: Map<string, number>;
  /** How receivers answer, by URL. */
  readonly receives: Map<string, Receives>;
  readonly faults: Fault[];
  readonly silences: Fault[];
  readonly directoryOutages: Fault[];
  readonly served: Served[];
  /** By a node and a key: since when it has let it in. */
  readonly letIn: Map<string, number>;
  /** When the last change of rights was answered; null: one was not, and may still be made. */
  rightsChangeMs: number | null;
  /** What waits for a poll, or for a message. */
  readonly ambushes: Step[];
  /** The node that has applied a broadcast in a cell, and not yet deleted its message. */
  forwarder: Owner | null;
  readonly looks: Look[];
  readonly journeys: ShownStatuses[];
  readonly readiness: Readiness[];
  readonly metered: Metered[];
  readonly shown: ShownEndpoint[];
  readonly revoked: Revoked[];
  readonly knocks: Knock[];
  readonly entitled: Entitled[];
  /** What callers were answered against the rules. */
  readonly wrong: string[];
  /** How often what happened while which kind of fault lasted, or none (`seenIn`). */
  readonly seen: Map<string, number>;
  readonly counts: Record<"statements" | "attempts" | "calls" | "faults", number>;
  readonly weather: Weather;
  /** Of nodes that start from now on. */
  cells: number;
  /** Null: nothing is tracked. */
  sources: Sources | null;
  database: SimulatedServer;
  hosts: Hosts;
  /** Ends the attempts of nodes that are dead. */
  endAbandoned(): void;
  /** Starts one more node. */
  begin(): Node;
  note(line: string): void;
};

export type Account = {
  readonly id: string;
  readonly openedMs: number;
  /** By prefix. */
  readonly keys: Map<string, { readonly id: string; readonly text: string }>;
  /** Keys that somebody has asked to revoke. */
  readonly leaving: Set<string>;
  /** Changes of its entitlement to air cargo, which it begins with. */
  readonly entitlement: KnownEndpoint["switches"][number][];
};

/** What the database and the name servers do beside their work. */
export type Weather = {
  /** It takes up to so much longer. */
  slowMs: number;
  /** Nothing is written. */
  isFull: boolean;
  /** Name servers say nothing. */
  areNamesSilent: boolean;
  faulty: Extract<Step, { do: "faulty" }> | null;
  stall: Extract<Step, { do: "stall" }> | null;
  /** Nothing goes wrong any more, and receivers take all. */
  isHealed: boolean;
};

/** Something happens: counted with each fault that lasts, of which one of the database or of the node. */
export function see(world: World, what: string, node: Node | null = null): void {
  const nowMs = worldMs();
  const kinds = [...world.faults, ...world.silences, ...world.directoryOutages]
    .filter((one) => one.fromMs <= nowMs && nowMs <= one.untilMs)
    .filter((one) => one.node === null || node === null || one.node === node.name)
    .map(({ kind }) => kind);
  for (const kind of new Set(kinds.length === 0 ? [NO_FAULT] : [ANY_FAULT, ...kinds])) {
    const key = `${what}, ${kind}`;
    world.seen.set(key, (world.seen.get(key) ?? 0) + 1);
  }
}

/** Nodes that answer, the oldest first. */
export function servingNodes({ nodes }: World): readonly Node[] {
  return nodes.filter(({ service, owner }) => service !== null && owner.state !== "dead");
}

/** One of some, however many there are. */
export function oneAt<T>(some: readonly T[], index: number): T | undefined {
  return some.length === 0 ? undefined : some[index % some.length];
}
