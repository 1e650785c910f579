import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { describe, it } from "node:test";

import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { manualClock } from "../support/clock.ts";
import { OK } from "../support/receivers.ts";
import { inShort, openReceiver, openSender, post } from "./sending.ts";

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
    const clock = manualClock();
    const bodies: string[] = [];
    const asking = Promise.withResolvers<Socket>();
    const { url } = await openReceiver((socket, _count, request) => {
      bodies.push(request.split("\r\n\r\n")[1]!);
      if (bodies.length > 1) socket.write(OK);
      asking.resolve(socket);
    });
    const from = openSender({ clock, timeoutMs: 4_000, connectionsPerOriginMax: 1 });
    const sent = ["first", "second", "third"].map((body) => post(from, url, body));
    const first = await asking.promise;
    await clock.advance(4_000);
    assert.deepEqual((await Promise.all(sent)).map(inShort), ["timeout", "timeout", "timeout"]);
    first.write(OK);
    // The last to be written would be on the wire by now.
    assert.equal(inShort(await post(openSender(), url.replace("?a=b", "?last"), "last")), "answered 200");
    assert.deepEqual(bodies, ["first", "last"]);
  });
});
