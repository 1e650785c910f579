/** A fault of the drill: what causes it, and where an operator has to see it. */
import type { TestContext } from "node:test";

import type { startDatabase } from "../faults/postgres.ts";
import type { Serving, Settings } from "../service/boathook.ts";
import type { Client, Receiver } from "../service/client.ts";

export type Fault = {
  /** Of the cause, as the table names it. */
  readonly name: string;
  readonly settings?: Settings | ((stage: Stage) => Settings | Promise<Settings>);
  /** The database is the service's own, in its data folder. */
  readonly embedded?: true;
  /** `cause` starts the service, and waits for nothing. */
  readonly atStart?: true;
  /** Puts the data folder elsewhere. */
  readonly folder?: (t: TestContext) => string | { readonly skip: string };
  readonly prepare?: (stage: Stage) => Promise<unknown>;
  readonly cause: (stage: Stage) => unknown;
  readonly shows: Shows;
};

/** What the table quotes is what the pattern finds; an absent one is not expected. */
export type Shows = {
  /** In `503 {"database":"…"}`, or in `no answer`. */
  readonly readyz?: RegExp;
  readonly alert?: string;
  readonly metric?: RegExp;
  /** In `warn: message {fields}` of one line. */
  readonly log?: RegExp;
  readonly command?: readonly [words: string, says: RegExp];
  /** Most lines of the log in the time watched; unless stated 1. */
  readonly linesMax?: number;
};

export type Stage = {
  readonly t: TestContext;
  readonly dataFolder: string;
  readonly database: Awaited<ReturnType<typeof startDatabase>> | null;
  readonly receiver: Receiver;
  /** Of the service and of commands. */
  settings: Settings;
  service: Serving;
  client: Client;
  endpoint: string;
  /** Where Prometheus looks for the first node and the second. */
  readonly opsPorts: readonly [number, number];
  /** Starts a service with the stage's settings and others. */
  start(settings?: Settings): Promise<Serving>;
  /** The first service's place is taken by another start of it. */
  restart(settings: Settings): Promise<void>;
  /** Raises events of the client; its answer's status, or null. */
  raise(count?: number): Promise<number | null>;
};
