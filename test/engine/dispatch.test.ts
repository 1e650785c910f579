/** Which attempts start, and what becomes of them. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { FAIL, OK, startDispatch, UNSENT } from "./dispatching.ts";

describe("attempts", () => {
  test("start as far as their lane is wide, and as others end", () => {
    const { dispatch, seen, lane, hold, end, requests } = startDispatch();
    hold(lane(), "a", "b", "c", "d", "e", "f", "g");
    assert.deepEqual(seen.sent, ["a", "b", "c", "d"]);
    assert.equal(dispatch.openCount(), 4);
    assert.equal(requests[0]!.headers[3], "TRACKING-Webhooks/1");
    end("b");
    assert.deepEqual(seen.ended, ["b 200"]);
    assert.deepEqual(seen.sent.slice(4), ["e", "f"], "one in its place, and one more after a success");
    assert.equal(lane().concurrencyMax, 5);
  });

  test("narrow their lane when they fail, and make it suspect until one succeeds", () => {
    const { seen, lane, hold, end } = startDispatch();
    hold(lane(), "a", "b", "c", "d", "e");
    end("a", FAIL);
    assert.deepEqual([lane().concurrencyMax, lane().degraded, lane().failures], [2, true, 1]);
    assert.equal(seen.sent.length, 4, "three are open, and two may be");
    end("b", { kind: "failed", statusCode: 200, error: { code: "timeout", text: "" } });
    assert.equal(lane().failures, 2);
    end("c", { kind: "answered", statusCode: 299 });
    assert.deepEqual([lane().degraded, lane().failures], [false, 0]);
    end("d", { kind: "answered", statusCode: 300 });
    assert.equal(lane().degraded, true);
    end("e", { kind: "answered", statusCode: 199 });
    assert.equal(lane().failures, 2);
    assert.deepEqual(seen.ended, ["a 500", "b 200", "c 299", "d 300", "e 199"]);
  });

  test("end once, however often the sender says so", () => {
    const { dispatch, seen, lane, hold, end, invariants, log } = startDispatch();
    hold(lane(), "a");
    end("a");
    end("a", FAIL);
    assert.deepEqual([seen.ended, dispatch.openCount()], [["a 200"], 0]);
    assert.equal(invariants.broken.get("attempt_ends_once"), 1);
    assert.deepEqual(log.lines[0]?.fields, { delivery: "a", invariant: "attempt_ends_once", times: 1 });
  });

  test("may end while they start, and each is started all the same", () => {
    const ended: string[] = [];
    const { lane, hold, dispatch } = startDispatch({
      ports: { send: (_request, done) => done(OK), onEnded: (_lane, { id }) => void ended.push(id) },
    });
    hold(lane(), "a", "b", "c", "d", "e", "f");
    assert.deepEqual(ended, ["a", "b", "c", "d", "e", "f"]);
    assert.equal(dispatch.openCount(), 0);
  });

  test("are made once more where their result was not taken", () => {
    const { lane, hold, end, seen, log } = startDispatch({
      ports: {
        onEnded() {
          throw new Error("no room for results");
        },
      },
    });
    hold(lane(), "a");
    end("a");
    assert.deepEqual(seen.unsent, ["a"]);
    const { level, fields } = log.lines[0]!;
    assert.deepEqual([level, (fields as { delivery: string }).delivery], ["error", "a"]);
  });

  test("are watched over: a sender that threw once and sends again is no illness", async () => {
    let faults = 1;
    const { clock, dispatch, lane, hold } = startDispatch({
      ports: {
        send() {
          if (faults-- > 0) throw new Error("not yet");
        },
      },
    });
    hold(lane(), "a");
    await clock.advance(1_000);
    hold(lane(), "b");
    await clock.advance(6_000);
    assert.equal(dispatch.unhealthyReason(), null);
  });

  test("do not start any more once it is stopped; those that are open end", () => {
    const { dispatch, seen, lane, hold, end } = startDispatch();
    hold(lane(), "a", "b", "c", "d", "e");
    dispatch.stop();
    end("a");
    dispatch.pump();
    assert.deepEqual([seen.sent.length, dispatch.openCount(), seen.ended], [4, 3, ["a 200"]]);
  });
});

describe("an attempt that cannot be made", () => {
  test("counts for nobody, and its lane rests for a second", async () => {
    const { clock, seen, lane, hold, end } = startDispatch();
    hold(lane(), "a", "b");
    end("a", UNSENT);
    end("b", UNSENT);
    assert.equal(clock.pending(), 1, "it rests once, not once for each");
    assert.deepEqual([seen.unsent, lane().failures, lane().coolingDown], [["a", "b"], 0, true]);
    hold(lane(), "c");
    await clock.advance(999);
    assert.equal(seen.sent.length, 2);
    await clock.advance(1);
    assert.deepEqual([seen.sent.slice(2), lane().coolingDown], [["c"], false]);
  });

  test("lets its lane be suspect no more where it had stalled", async () => {
    const { clock, dispatch, lane, hold, end } = startDispatch();
    hold(lane(), "a");
    await clock.advance(1_000);
    dispatch.watch();
    assert.equal(lane().degraded, true);
    end("a", UNSENT);
    assert.equal(lane().degraded, false);
  });

  test("is logged once in ten seconds, with why", async () => {
    const { clock, lane, hold, end, log } = startDispatch();
    hold(lane(), "a", "b", "c");
    end("a", UNSENT);
    await clock.advance(9_999);
    end("b", UNSENT);
    assert.equal(log.lines.length, 1);
    await clock.advance(1);
    end("c", UNSENT);
    assert.deepEqual(
      log.lines.map(({ level, fields, message }) => [level, fields, message]),
      [
        [
          "error",
          { err: undefined, error: "out_of_sockets", delivery: "a" },
          "attempts cannot be made, and wait: No socket is left.",
        ],
        [
          "error",
          { err: undefined, error: "out_of_sockets", delivery: "c" },
          "attempts cannot be made, and wait: No socket is left.",
        ],
      ],
    );
  });

  test("because the sender throws waits like any other, and what it threw is logged", () => {
    const fault = new Error("no sender");
    const { dispatch, lane, hold, seen, log } = startDispatch({
      ports: {
        send() {
          throw fault;
        },
      },
    });
    hold(lane(), "a");
    assert.deepEqual([seen.unsent, dispatch.openCount(), lane().open], [["a"], 0, 0]);
    assert.deepEqual(log.lines[0]?.fields, { err: fault, error: "internal_error", delivery: "a" });
  });
});
