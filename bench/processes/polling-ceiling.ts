/**
 * The ceiling of polling, in its own process: the service's own carrier client requests the same references, with
 * the same concurrency, and parses every answer; there is no store.
 */
import { Agent } from "undici";

import type { Carrier } from "../../src/products/ocean/sources/carriers.ts";
import { createCarrierClient, type CarrierClient } from "../../src/products/ocean/sources/carrier-client.ts";
import type { IdentifierType } from "../../src/freight/references/reference.ts";
import { createHttpPort } from "../../src/freight/upstream/http.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { clock } from "../setting/postgres.ts";
import { answerCalls } from "./calls.ts";

export type PolledReference = {
  readonly scac: string;
  readonly type: IdentifierType;
  readonly reference: string;
};
export type PollingPace = {
  readonly polled: number;
  readonly seconds: number;
  /** Answers without events, which there should be none of. */
  readonly empty: number;
};

let carriers: ReadonlyMap<string, Carrier>;
let client: CarrierClient;

const calls = {
  open(of: readonly Carrier[]): void {
    carriers = new Map(of.map((carrier) => [carrier.scac, carrier]));
    const http = createHttpPort(new Agent({ allowH2: false }), clock);
    client = createCarrierClient({ carriers: of, http, clock, random: systemRandom() });
  },
  async ask(load: {
    readonly references: readonly PolledReference[];
    readonly open: number;
    readonly seconds: number;
  }): Promise<PollingPace> {
    const startedMs = performance.now();
    const endMs = startedMs + load.seconds * 1_000;
    let asked = 0;
    let empty = 0;
    const go = async (): Promise<void> => {
      while (performance.now() < endMs) {
        const { scac, type, reference } = load.references[asked % load.references.length]!;
        asked += 1;
        const answer = await client.fetch(carriers.get(scac)!, type, reference);
        if (answer.kind !== "events") empty += 1;
      }
    };
    await Promise.all(Array.from({ length: load.open }, go));
    return { polled: asked, seconds: (performance.now() - startedMs) / 1_000, empty };
  },
};

export type PollingCeilingCalls = typeof calls;

answerCalls(calls);
