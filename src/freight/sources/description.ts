/** The outside sources of a product, as its files name them. Names alone: the rest of an entry may be secret. */
import type { Cell } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import type { QuotaSettings } from "../upstream/upstream-schema.ts";

export const SOURCE_KINDS = ["carrier", "vessel_reports", "airline", "schedules", "rates"] as const;

export type SourceDescription = {
  /** As addresses have it: small letters, digits and hyphens. */
  readonly id: string;
  readonly kind: (typeof SOURCE_KINDS)[number];
  readonly title: string;
  /** The ways in which it says something; at least one. */
  readonly channels: readonly SourceChannel[];
  /** The source queues in which shipments wait for its polls. */
  readonly queues: readonly string[];
};

export type SourceChannel = {
  /** The name of the upstream, or of what is pushed: the same on every node, and no other's. */
  readonly name: string;
  /** "Track & Trace". */
  readonly about: string;
  readonly isPushed: boolean;
  readonly quota: QuotaSettings;
  /** The upstream whose quota it shares; absent: its own. */
  readonly quotaName?: string;
};

export type SourcesOfProduct = {
  readonly sources: readonly SourceDescription[];
  /** When each source without a queue is polled next, by its id. */
  readonly nextPolls?: (db: Connection, directory: Cell) => Promise<ReadonlyMap<string, Date>>;
};

export function polled(name: string, about: string, quota: QuotaSettings = {}): SourceChannel {
  return { name, about, isPushed: false, quota };
}

export function pushed(name: string, about: string): SourceChannel {
  return { name, about, isPushed: true, quota: {} };
}

/** `ocean MAEU`: `ocean-maeu`. */
export function idOf(...parts: readonly string[]): string {
  const text = parts.join("-").toLowerCase();
  return text.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
}
