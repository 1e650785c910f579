/** Checks of entries on replayed carriers whose certificates this process trusts. */
import { Agent } from "undici";

import type { Reference } from "../../../src/freight/references/reference.ts";
import { NOTHING_KNOWN } from "../../../src/products/ocean/sources/known-references.ts";
import { createHttpPort } from "../../../src/freight/upstream/http.ts";
import { checkEntry, type EntryCheck } from "../../../src/freight/source-check/check.ts";
import { CARRIER_CHECK } from "../../../src/products/ocean/check/carrier-check.ts";
import type { Carrier } from "../../../src/products/ocean/sources/carriers.ts";
import { systemRandom } from "../../../src/runtime/system-random.ts";
import { silentLog } from "../../support/log.ts";
import { realClock } from "../../support/real-clock.ts";
import { certificates } from "../../support/trusting.ts";
import { startCarrier, type Case, type ReplayedCarrier } from "./replayed-carrier.ts";
import { sailed } from "./voyage.ts";

const BOX = "HRNU4000017";

export async function withCarrier(
  one: Case,
  work: (server: ReplayedCarrier) => Promise<void>,
  certificate = certificates.valid,
): Promise<void> {
  const server = await startCarrier(one.documented, certificate);
  server.state(sailed(Date.now()));
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

/** What a carrier is asked about: a container, or a booking where it knows nothing else. */
export function referenceOf({ documented: { booking } }: Case): Reference {
  return booking === undefined ? { text: BOX, type: "container_id" } : { text: booking, type: null };
}

export async function check(
  carrier: Carrier,
  reference: Reference | null,
  record: string | null = null,
  account: string | null = null,
  others = NOTHING_KNOWN,
) {
  const agent = new Agent({ allowH2: false });
  const http = createHttpPort(agent, realClock);
  const ports = { http, clock: realClock, random: systemRandom(), log: silentLog };
  try {
    return await checkEntry(ports, CARRIER_CHECK, carrier, { reference, others, account }, { record });
  } finally {
    await agent.destroy();
  }
}

/** `name passed`, `token failed` … */
export const results = ({ steps }: EntryCheck<unknown>): readonly string[] =>
  steps.map(({ step, result }) => `${step} ${result}`);

export const failureOf = ({ steps }: EntryCheck<unknown>) => steps.find(({ result }) => result === "failed");
