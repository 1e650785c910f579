import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import { test } from "node:test";

import { ownAddresses } from "../../src/runtime/own-addresses.ts";

test("this machine's addresses are read again after five seconds, and not before", () => {
  let nowMs = 0;
  const own = ownAddresses({ monotonicMs: () => nowMs });
  const first = own();
  const all = Object.values(networkInterfaces()).flatMap((of = []) => of.map(({ address }) => address));
  assert.deepEqual(
    first.map((cidr) => cidr.split("/", 1)[0]),
    all,
  );
  nowMs = 4_999;
  assert.equal(own(), first);
  nowMs = 5_000;
  assert.notEqual(own(), first);
});
