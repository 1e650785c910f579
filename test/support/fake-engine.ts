import type { DeliveryRecord } from "../../src/model/delivery.ts";
import type { RaisedEvent } from "../../src/model/event.ts";
import type { Engine, Raised, Sample } from "../../src/engine/engine.ts";

/** An engine that writes down what it is asked for, for tests whose subject is not delivery. */
export type FakeEngine = Pick<Engine, "raise" | "ping" | "endpointChanged"> & {
  readonly raised: RaisedEvent[];
  readonly changed: string[];
  readonly pinged: string[];
  /** Beside `pinged`. */
  readonly samples: (Sample | undefined)[];
  /** What `raise` answers, or throws, instead of accepting. */
  raiseResult: Raised | Error | null;
  pingResult: DeliveryRecord | "inactive" | "missing";
};

export const PING_DELIVERY: DeliveryRecord = {
  id: "01900000-0000-7000-8000-000000000001",
  eventType: "ping",
  status: "pending",
  attemptCount: 0,
  lastStatusCode: null,
  lastError: null,
  createdAt: new Date(0),
  deliveredAt: null,
};

export function fakeEngine(): FakeEngine {
  const engine: FakeEngine = {
    raised: [],
    changed: [],
    pinged: [],
    samples: [],
    raiseResult: null,
    pingResult: PING_DELIVERY,
    async raise(events) {
      if (engine.raiseResult instanceof Error) throw engine.raiseResult;
      if (engine.raiseResult !== null) return engine.raiseResult;
      engine.raised.push(...events);
      return { kind: "raised", accepted: events.length, duplicates: 0, deliveries: 0 };
    },
    async ping(_cell, _accountId, endpointId, sample) {
      engine.pinged.push(endpointId);
      engine.samples.push(sample);
      return engine.pingResult;
    },
    async endpointChanged(_cell, _accountId, endpointId) {
      engine.changed.push(endpointId);
    },
  };
  return engine;
}
