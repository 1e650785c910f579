/** Which attempts start, and what becomes of them, with a sender that ends them by hand. */
import assert from "node:assert/strict";
import { createSecretKey } from "node:crypto";
import { describe, test } from "node:test";

import type { AttemptRequest } from "../../src/engine/attempt-request.ts";
import { createDispatch, type Dispatch, type DispatchPorts } from "../../src/engine/dispatch.ts";
import { createInvariants } from "../../src/engine/invariants.ts";
import type { Lane } from "../../src/engine/lane.ts";
import { DEFAULT_ENGINE_SETTINGS, type EngineSettings } from "../../src/engine/settings.ts";
import type { Outcome, SendResult } from "../../src/model/delivery.ts";
import type { Target } from "../../src/model/endpoint.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { deliveryOf, TARGET } from "./endpoint.ts";

const OK: Outcome = { kind: "answered", statusCode: 200 };
const FAIL: Outcome = { kind: "answered", statusCode: 500 };
const UNSENT: SendResult = { kind: "unsent", error: { code: "out_of_sockets", text: "No socket is left." } };

type Options = { readonly settings?: Partial<EngineSettings>; readonly ports?: Partial<DispatchPorts> };

function start({ settings = {}, ports = {} }: Options = {}) {
  const [clock, log] = [manualClock(), recordingLog()];
  const invariants = createInvariants(clock, log);
  const seen = { sent: [] as string[], ended: [] as string[], unsent: [] as string[], stuck: [] as string[] };
  const requests: AttemptRequest[] = [];
  const open = new Map<string, (result: SendResult) => void>();
  const dispatch: Dispatch = createDispatch(
    { ...DEFAULT_ENGINE_SETTINGS, ...settings },
    {
      send(request, done) {
        const id = request.headers[7]!;
        requests.push(request);
        seen.sent.push(id);
        open.set(id, done);
      },
      headerTag: (product) => product.toUpperCase(),
      signingKey: () => createSecretKey(Buffer.alloc(32)),
      onEnded: (_lane, { id }, outcome) => void seen.ended.push(`${id} ${outcome.statusCode}`),
      onUnsent: (_lane, { id }) => void seen.unsent.push(id),
      isCrowded: () => false,
      onStuck: (lane, surplus) =>
        void seen.stuck.push(`${lane.target.id} ${surplus.map(({ id }) => id).join()}`),
      invariants,
      clock,
      log,
      ...ports,
    },
  );
  const lane = (target: Partial<Target> = {}): Lane =>
    dispatch.lane(
      { ...TARGET, ...target },
      { cell: { number: 0, schema: "c", directory: "d" }, node: 1, maySend: () => true },
    );
  const hold = (to: Lane, ...ids: readonly string[]) => {
    for (const id of ids) dispatch.hold(to, deliveryOf(id));
    dispatch.pump();
  };
  const end = (id: string, result: SendResult = OK) => open.get(id)!(result);
  return { clock, log, dispatch, seen, requests, lane, hold, end, invariants };
}

describe("attempts", () => {
  test("start as far as their lane is wide, and as others end", () => {
    const { dispatch, seen, lane, hold, end, requests } = start();
    hold(lane(), "a", "b", "c", "d", "e", "f", "g");
    assert.deepEqual(seen.sent, ["a", "b", "c", "d"]);
    assert.equal(dispatch.openCount(), 4);
    assert.equal(requests[0]!.headers[3], "TRACKING-Webhooks/1");
    end("b");
    assert.deepEqual(seen.ended, ["b 200"]);
    assert.deepEqual(seen.sent.slice(4), ["e", "f"], "one in its place, and one more after a success");
    assert.equal(lane().width, 5);
  });

  test("narrow their lane when they fail, and make it suspect until one succeeds", () => {
    const { seen, lane, hold, end } = start();
    hold(lane(), "a", "b", "c", "d", "e");
    end("a", FAIL);
    assert.deepEqual([lane().width, lane().suspect, lane().failures], [2, true, 1]);
    assert.equal(seen.sent.length, 4, "three are open, and two may be");
    end("b", { kind: "failed", statusCode: 200, error: { code: "timeout", text: "" } });
    assert.equal(lane().failures, 2);
    end("c", { kind: "answered", statusCode: 299 });
    assert.deepEqual([lane().suspect, lane().failures], [false, 0]);
    end("d", { kind: "answered", statusCode: 300 });
    assert.equal(lane().suspect, true);
    end("e", { kind: "answered", statusCode: 199 });
    assert.equal(lane().failures, 2);
    assert.deepEqual(seen.ended, ["a 500", "b 200", "c 299", "d 300", "e 199"]);
  });

  test("end once, however often the sender says so", () => {
    const { dispatch, seen, lane, hold, end, invariants, log } = start();
    hold(lane(), "a");
    end("a");
    end("a", FAIL);
    assert.deepEqual([seen.ended, dispatch.openCount()], [["a 200"], 0]);
    assert.equal(invariants.broken.get("attempt_ends_once"), 1);
    assert.deepEqual(log.lines[0]?.fields, { delivery: "a", invariant: "attempt_ends_once", times: 1 });
  });

  test("may end while they start, and each is started all the same", () => {
    const ended: string[] = [];
    const { lane, hold, dispatch } = start({
      ports: { send: (_request, done) => done(OK), onEnded: (_lane, { id }) => void ended.push(id) },
    });
    hold(lane(), "a", "b", "c", "d", "e", "f");
    assert.deepEqual(ended, ["a", "b", "c", "d", "e", "f"]);
    assert.equal(dispatch.openCount(), 0);
  });

  test("are made once more where their result was not taken", () => {
    const { lane, hold, end, seen, log } = start({
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
    const { clock, dispatch, lane, hold } = start({
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
    assert.equal(dispatch.illness(), null);
  });

  test("do not start any more once it is stopped; those that are open end", () => {
    const { dispatch, seen, lane, hold, end } = start();
    hold(lane(), "a", "b", "c", "d", "e");
    dispatch.stop();
    end("a");
    dispatch.pump();
    assert.deepEqual([seen.sent.length, dispatch.openCount(), seen.ended], [4, 3, ["a 200"]]);
  });
});

describe("an attempt that cannot be made", () => {
  test("counts for nobody, and its lane rests for a second", async () => {
    const { clock, seen, lane, hold, end } = start();
    hold(lane(), "a", "b");
    end("a", UNSENT);
    end("b", UNSENT);
    assert.equal(clock.pending(), 1, "it rests once, not once for each");
    assert.deepEqual([seen.unsent, lane().failures, lane().resting], [["a", "b"], 0, true]);
    hold(lane(), "c");
    await clock.advance(999);
    assert.equal(seen.sent.length, 2);
    await clock.advance(1);
    assert.deepEqual([seen.sent.slice(2), lane().resting], [["c"], false]);
  });

  test("lets its lane be suspect no more where it had stalled", async () => {
    const { clock, dispatch, lane, hold, end } = start();
    hold(lane(), "a");
    await clock.advance(1_000);
    dispatch.watch();
    assert.equal(lane().suspect, true);
    end("a", UNSENT);
    assert.equal(lane().suspect, false);
  });

  test("is logged once in ten seconds, with why", async () => {
    const { clock, lane, hold, end, log } = start();
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
    const { dispatch, lane, hold, seen, log } = start({
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

describe("a request that has been open for long", () => {
  test("makes its lane suspect until it ends, and counts once", async () => {
    const { clock, dispatch, lane, hold, end, seen } = start();
    hold(lane(), "a");
    await clock.advance(999);
    dispatch.watch();
    assert.equal(lane().stalled, 0);
    hold(lane(), "young");
    await clock.advance(1);
    dispatch.watch();
    dispatch.watch();
    assert.deepEqual([lane().stalled, lane().suspect], [1, true]);
    hold(lane(), "b");
    assert.equal(seen.sent.length, 2, "a suspect lane has two open at most");
    end("a");
    assert.deepEqual([lane().stalled, lane().suspect], [0, false]);
    end("young");
    assert.equal(lane().stalled, 0);
  });

  test("lets its lane go on among the suspect", async () => {
    const { clock, dispatch, lane, hold, seen } = start({ settings: { openMax: 1 } });
    hold(lane(), "a", "b");
    assert.deepEqual(seen.sent, ["a"]);
    await clock.advance(1_000);
    dispatch.watch();
    assert.deepEqual(seen.sent, ["a", "b"]);
  });

  test("is an illness once it has outlived its time-out and ten seconds more", async () => {
    const { clock, dispatch, lane, hold, end } = start({ settings: { attemptTimeoutMs: 5_000 } });
    await clock.advance(60_000);
    assert.equal(dispatch.illness(), null);
    hold(lane(), "a", "b");
    await clock.advance(15_000);
    assert.equal(dispatch.illness(), null);
    await clock.advance(1);
    assert.equal(dispatch.illness(), "an attempt has outlived its time-out");
    end("a");
    end("b");
    assert.equal(dispatch.illness(), null);
  });
});

describe("lanes", () => {
  test("that are stuck give back what they may not keep while memory is short", () => {
    const state = { isCrowded: false };
    const { dispatch, lane, hold, seen } = start({ ports: { isCrowded: () => state.isCrowded } });
    const ids = ["1", "2", "3", "4", "5", "6"];
    hold(lane({ id: "stuck", failureCount: 3 }), "s", ...ids);
    hold(lane({ id: "empty", failureCount: 3 }), "e");
    hold(lane({ id: "well" }), "w", "x", "y", "z", ...ids);
    dispatch.watch();
    assert.deepEqual(seen.stuck, []);
    state.isCrowded = true;
    dispatch.watch();
    assert.deepEqual(seen.stuck, ["stuck 5,6"]);
  });

  test("are the same for the same endpoint, and forgotten when they are idle and too many", () => {
    const { dispatch, lane, hold } = start({ settings: { lanesMax: 2 } });
    const busy = lane({ id: "busy" });
    hold(busy, "a");
    assert.equal(lane({ id: "busy" }), busy);
    lane({ id: "idle" });
    dispatch.evict();
    assert.deepEqual([...dispatch.lanes()].length, 2, "as many as may be");
    lane({ id: "third" });
    dispatch.evict();
    assert.deepEqual([...dispatch.lanes()], [busy]);
    assert.deepEqual([dispatch.laneOf("busy"), dispatch.laneOf("idle")], [busy, undefined]);
  });

  test("give back what they have not started", () => {
    const { dispatch, lane, hold } = start();
    hold(lane(), "a", "b", "c", "d", "e", "f");
    assert.deepEqual(
      dispatch.park(lane()).map(({ id }) => id),
      ["e", "f"],
    );
    assert.deepEqual(dispatch.park(lane()), []);
  });

  test("go on when they are woken", () => {
    const { dispatch, lane, hold, seen } = start();
    lane().target = { ...TARGET, active: false };
    hold(lane(), "a");
    assert.deepEqual(seen.sent, []);
    lane().target = TARGET;
    dispatch.wake(lane());
    dispatch.pump();
    assert.deepEqual(seen.sent, ["a"]);
  });

  test("are counted once, however many well and suspect ones have requests open", () => {
    const { dispatch, lane, hold } = start({ settings: { openMax: 2, suspectOpenMax: 1 } });
    hold(lane({ id: "w" }), "a", "b", "c");
    hold(lane({ id: "s", failureCount: 1 }), "d", "e");
    assert.equal(dispatch.openCount(), 3);
  });
});
