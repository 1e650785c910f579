/** A client's endpoint as it is stored and shown (spec 2.1), without its secret. */
export type Endpoint = {
  readonly id: string;
  readonly accountId: string;
  /** The product's tag. */
  readonly product: string;
  readonly url: string;
  /** Empty: every event type the product emits. */
  readonly eventTypes: readonly string[];
  readonly description: string;
  readonly active: boolean;
  /** Consecutive failed attempts. */
  readonly failureCount: number;
  /** The last success (spec 3.1), null before the first. */
  readonly lastDeliveryAt: Date | null;
  readonly createdAt: Date;
};

/** What delivering to an endpoint takes, and nothing that only people read. */
export type Target = {
  readonly id: string;
  readonly accountId: string;
  readonly product: string;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly active: boolean;
  readonly failureCount: number;
  /** SHA-256 of the secret, sealed under the master key; opened once, when a node first needs it. */
  readonly sealedSecretHash: Buffer;
};
