import { randomBytes, randomFillSync } from "node:crypto";

import type { Random } from "./random.ts";

/**
 * Layout of an id (RFC 9562, 5.7; the counter is method 1 of 6.2, with a fixed length):
 *
 *     48 bits  milliseconds since the epoch
 *      4 bits  version, 7
 *     12 bits  counter, upper part   \  26 bits: starts at random below 2^25, so that at least 2^25
 *      2 bits  variant, 10            | ids of one millisecond fit, and counts up while the
 *     14 bits  counter, lower part   /  millisecond stays the same or time goes back
 *     48 bits  random for each id
 */
const COUNTER_MAX = 2 ** 26 - 1;

/** Random bytes of one id: 6 at its end, 4 to start a counter from. */
const BYTES_PER_ID = 10;

/** Ids per call of the generator: a call costs far more than its bytes. */
const IDS_PER_BATCH = 512;

const HEX = Buffer.from("0123456789abcdef", "latin1");

const VARIANT = 0x8000;

export function systemRandom(): Random {
  return {
    uuid: monotonicUuids(),
    bytes: (count) => randomBytes(count),
    fraction: Math.random,
  };
}

/** Each id is greater than the last, even if `atMs` stays or goes back. */
export function monotonicUuids(fill: (target: Buffer) => void = randomFillSync): (atMs: number) => string {
  const pool = Buffer.alloc(IDS_PER_BATCH * BYTES_PER_ID);
  const id = Buffer.from("00000000-0000-7000-8000-000000000000", "latin1");
  let used = pool.length;
  let lastMs = -1;
  let counter = 0;

  return (atMs) => {
    if (used === pool.length) {
      fill(pool);
      used = 0;
    }
    const ms = Math.floor(atMs);
    if (ms > lastMs) {
      startMillisecond(ms);
    } else if (counter === COUNTER_MAX) {
      // RFC 9562, 6.2: the count runs into the next millisecond.
      startMillisecond(lastMs + 1);
    } else {
      counter += 1;
    }
    writeHex(id, 15, counter >>> 22, 1);
    writeHex(id, 16, (counter >>> 14) & 0xff, 2);
    writeHex(id, 19, VARIANT | (counter & 0x3fff), 4);
    for (let byte = 0; byte < 6; byte += 1) writeHex(id, 24 + 2 * byte, pool[used + byte] ?? 0, 2);
    used += BYTES_PER_ID;
    return id.toString("latin1");
  };

  function startMillisecond(ms: number): void {
    lastMs = ms;
    counter = pool.readUInt32LE(used + 6) >>> 7;
    writeHex(id, 0, Math.floor(ms / 0x1_0000), 8);
    writeHex(id, 9, ms % 0x1_0000, 4);
  }
}

function writeHex(target: Buffer, offset: number, value: number, digits: number): void {
  for (let digit = digits - 1, rest = value; digit >= 0; digit -= 1, rest >>>= 4) {
    target[offset + digit] = HEX[rest & 0xf] ?? 0;
  }
}
