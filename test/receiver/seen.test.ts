import assert from "node:assert/strict";
import { describe, it } from "node:test";

import fc from "fast-check";

import { memorySeen, SEEN_TTL_MS } from "../../packages/receiver/src/seen.ts";
import { movedClock } from "./clock.ts";
import { forAll } from "../support/runs.ts";

const LEASE_MS = 30_000;
const HOUR_MS = 3_600_000;

describe("the memory of what was seen", () => {
  it("is claimed once, is busy until it is complete, and done from then on", () => {
    const seen = memorySeen({ clock: movedClock() });
    assert.equal(seen.claim("a", LEASE_MS), "claimed");
    assert.equal(seen.claim("a", LEASE_MS), "busy");
    assert.equal(seen.claim("b", LEASE_MS), "claimed");
    void seen.complete("a");
    assert.equal(seen.claim("a", LEASE_MS), "done");
    assert.equal(seen.claim("b", LEASE_MS), "busy");
  });

  it("can be claimed again after a release, and after its lease has ended", () => {
    const clock = movedClock();
    const seen = memorySeen({ clock });
    void seen.claim("a", LEASE_MS);
    void seen.release("a");
    assert.equal(seen.claim("a", LEASE_MS), "claimed");
    clock.advance(LEASE_MS - 1);
    assert.equal(seen.claim("a", LEASE_MS), "busy");
    clock.advance(1);
    assert.equal(seen.claim("a", LEASE_MS), "claimed");
  });

  it("outlasts nine hours of retries and three days of an inactive endpoint, and ends", () => {
    const clock = movedClock();
    const seen = memorySeen({ clock });
    void seen.claim("a", LEASE_MS);
    void seen.complete("a");
    clock.advance((72 + 9) * HOUR_MS);
    assert.equal(seen.claim("a", LEASE_MS), "done");
    clock.advance(SEEN_TTL_MS - (72 + 9) * HOUR_MS);
    assert.equal(seen.claim("a", LEASE_MS), "claimed");
  });

  it("forgets the oldest first when it is full", () => {
    const seen = memorySeen({ entriesMax: 3, clock: movedClock() });
    for (const id of ["a", "b", "c", "d"]) {
      void seen.claim(id, LEASE_MS);
      void seen.complete(id);
    }
    assert.deepEqual(
      ["b", "c", "d"].map((id) => seen.claim(id, LEASE_MS)),
      ["done", "done", "done"],
    );
    assert.equal(seen.claim("a", LEASE_MS), "claimed");
  });

  it("agrees with a plain model that never forgets, as long as it is not full", () => {
    const step = fc.record({
      id: fc.constantFrom("a", "b", "c"),
      verb: fc.constantFrom("claim", "complete", "release", "wait"),
    });
    forAll(100, fc.array(step, { maxLength: 60 }), (steps) => {
      const clock = movedClock();
      const seen = memorySeen({ entriesMax: 3, ttlMs: 1_000, clock });
      const model = new Map<string, { readonly state: string; readonly endsAtMs: number }>();
      for (const { id, verb } of steps) {
        const nowMs = clock.monotonicMs();
        const known = model.get(id);
        if (verb === "wait") clock.advance(70);
        if (verb === "release") model.delete(id);
        if (verb === "complete") model.set(id, { state: "done", endsAtMs: nowMs + 1_000 });
        if (verb === "claim") {
          const expected = known !== undefined && known.endsAtMs > nowMs ? known.state : "claimed";
          if (expected === "claimed") model.set(id, { state: "busy", endsAtMs: nowMs + 100 });
          assert.equal(seen.claim(id, 100), expected);
        } else if (verb !== "wait") {
          void seen[verb](id);
        }
      }
    });
  });
});
