import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { manualClock } from "../support/clock.ts";
import { OK } from "../support/receivers.ts";
import { inShort, openReceiver, openSender, post, SHORT_MS } from "./sending.ts";

describe("the deadline", () => {
  // spec 8: timeout
  it("is one for the whole attempt, name lookup included", async () => {
    const clock = manualClock();
    const from = openSender({ clock, timeoutMs: 4_000, dnsLookup: () => {} });
    const outcomes: string[] = [];
    from.send({ url: "https://slow.receiver.test/", headers: [], body: "{}" }, (outcome) => {
      outcomes.push(inShort(outcome));
    });
    await clock.advance(3_999);
    assert.deepEqual(outcomes, []);
    await clock.advance(1);
    assert.deepEqual(outcomes, ["timeout"]);
    assert.equal(from.connectionCount(), 0);
  });

  // spec 8: timeout
  it("ends attempts in the order of their start, each at its own time", async () => {
    const clock = manualClock();
    const { url } = await openReceiver(() => {});
    const from = openSender({ clock, timeoutMs: DEFAULT_ENGINE_SETTINGS.attemptTimeoutMs });
    const outcomes: string[] = [];
    const send = (name: string): void => {
      from.send({ url, headers: [], body: "{}" }, (outcome) => outcomes.push(`${name} ${inShort(outcome)}`));
    };
    send("first");
    await clock.advance(3_000);
    send("second");
    await clock.advance(6_999);
    assert.deepEqual(outcomes, []);
    await clock.advance(1);
    assert.deepEqual(outcomes, ["first timeout"]);
    await clock.advance(3_000);
    assert.deepEqual(outcomes, ["first timeout", "second timeout"]);
  });

  it("that passes while an attempt waits keeps it off the wire for good", async () => {
    const bodies: string[] = [];
    const { url } = await openReceiver((socket, _count, request) => {
      bodies.push(request.split("\r\n\r\n")[1]!);
      // The first answer comes when the second attempt has long been given up.
      setTimeout(() => socket.write(OK), SHORT_MS * 2);
    });
    const from = openSender({ timeoutMs: SHORT_MS, connectionsPerOriginMax: 1 });
    const outcomes = await Promise.all([
      post(from, url, "first"),
      post(from, url, "second"),
      post(from, url, "third"),
    ]);
    assert.deepEqual(outcomes.map(inShort), ["timeout", "timeout", "timeout"]);
    await new Promise((resolve) => setTimeout(resolve, SHORT_MS));
    assert.deepEqual(bodies, ["first"]);
  });
});
