/** A client's endpoint as it is stored and shown (spec 2.1), without its secret. */
export type Endpoint = {
  readonly id: string;
  readonly accountId: string;
  readonly product: string;
  readonly url: string;
  /** Empty: every event type the product emits. */
  readonly eventTypes: readonly string[];
  readonly description: string;
  readonly active: boolean;
  readonly failureCount: number;
  /** The last success; null before the first. */
  readonly lastDeliveryAt: Date | null;
  readonly createdAt: Date;
  /** Since when it is inactive; null while it is active. */
  readonly disabledAt: Date | null;
  /** `failures` or `paused`; null also where an older build has switched it off. */
  readonly disabledReason: string | null;
  /** Events that it would have received since then. */
  readonly missedEvents: number;
};

/** Whether its subscription has the event type (spec 2.1: event_types). */
export function subscribesTo({ eventTypes }: Pick<Endpoint, "eventTypes">, type: string): boolean {
  return eventTypes.length === 0 || eventTypes.includes(type);
}

/** What delivering to an endpoint takes. */
export type Target = Pick<
  Endpoint,
  "id" | "accountId" | "product" | "url" | "eventTypes" | "active" | "failureCount"
> & {
  /** SHA-256 of the secret, sealed under the master key; opened once, when a node first needs it. */
  readonly sealedSecretHash: Buffer;
};
