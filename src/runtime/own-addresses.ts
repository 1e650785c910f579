import { networkInterfaces } from "node:os";

import type { Clock } from "./clock.ts";
import { SECOND_MS } from "./durations.ts";

/** Addresses come and go while the process runs. */
const READ_AGAIN_MS = 5 * SECOND_MS;

/** Reads this machine's addresses in CIDR form, `203.0.113.7/24`: a new array every few seconds. */
export function ownAddresses(clock: Pick<Clock, "monotonicMs">): () => readonly string[] {
  let addresses: readonly string[] = [];
  let readMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = clock.monotonicMs();
    if (nowMs - readMs >= READ_AGAIN_MS) {
      readMs = nowMs;
      // Without a mask that is a prefix, the address alone.
      addresses = Object.values(networkInterfaces()).flatMap((of = []) =>
        of.map(({ address, cidr }) => cidr ?? address),
      );
    }
    return addresses;
  };
}
