import assert from "node:assert/strict";
import { performance } from "node:perf_hooks";
import { test, type TestContext } from "node:test";
import { networkInterfaces, tmpdir } from "node:os";
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "node:child_process";

import fc from "fast-check";

import { startSystemClock } from "../../src/runtime/system-clock.ts";
import { silentLog } from "../support/log.ts";
import { monotonicUuids, systemRandom } from "../../src/runtime/system-random.ts";
import { ownAddresses } from "../../src/runtime/own-addresses.ts";
import { isReliableSync } from "../../src/runtime/host.ts";
import { makeFolder } from "../../src/runtime/make-folder.ts";
import { forAll } from "../support/runs.ts";

const MONTH_MS = 31 * 86_400_000;

/** The system clock on timers and times that stand until `pass` moves them. */
function start(t: TestContext) {
  const now = { ms: 1_000 };
  t.mock.method(performance, "now", () => now.ms);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const clock = startSystemClock(silentLog);
  t.after(clock.stop);
  const pass = (ms: number, ofTimersMs = ms) => {
    now.ms += ms;
    t.mock.timers.tick(ofTimersMs);
  };
  return { clock, pass };
}

test("the system clock starts at the wall clock's time", (t) => {
  const beforeMs = Date.now();
  const nowMs = start(t).clock.nowMs();
  assert.ok(beforeMs <= nowMs && nowMs <= Date.now());
});

test("a timer never fires early, as Node's own may", (t) => {
  const { clock, pass } = start(t);
  let fired = 0;
  clock.after(10.4, () => (fired += 1));
  // Node's timers know whole milliseconds, and run a little ahead.
  pass(9.6, 11);
  assert.equal(fired, 0);
  pass(0.8, 1);
  assert.equal(fired, 1);
});

test("a timer that was taken back does not fire, and taking it back twice is harmless", (t) => {
  const { clock, pass } = start(t);
  const cancel = clock.after(1, () => assert.fail("it fires"));
  cancel();
  cancel();
  pass(5);
});

test("a delay of a month fires at its end, and not at once as Node's own timer would", (t) => {
  const { clock, pass } = start(t);
  let fired = 0;
  clock.after(MONTH_MS, () => (fired += 1));
  pass(MONTH_MS - 1);
  assert.equal(fired, 0);
  pass(1);
  assert.equal(fired, 1);
});

const NOW_MS = Date.UTC(2026, 10, 2, 12);

function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}

test("an id is a UUID of version 7 that holds its time", () => {
  const { uuid } = systemRandom();
  for (const atMs of [0, 1, NOW_MS, 2 ** 48 - 1]) {
    const id = systemRandom().uuid(atMs);
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(timeOf(id), atMs);
  }
  assert.equal(timeOf(uuid(NOW_MS + 0.7)), NOW_MS);
});

test("each id is greater than the last whatever time does", () =>
  forAll(100, fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 200 }), (steps) => {
    const uuid = monotonicUuids();
    let atMs = NOW_MS;
    let last = "";
    for (const step of steps) {
      atMs += step;
      const id = uuid(atMs);
      assert.ok(id > last, `${id} after ${last}`);
      last = id;
    }
  }));

test("ten thousand ids of one millisecond are all of that millisecond, in order", () => {
  const { uuid } = systemRandom();
  const ids = Array.from({ length: 10_000 }, () => uuid(NOW_MS));
  assert.deepEqual(ids, ids.toSorted());
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.every((id) => timeOf(id) === NOW_MS));
});

test("the counter starts low enough for 33 million ids of one millisecond", () => {
  const uuid = monotonicUuids((pool) => pool.fill(0xff));
  // The upper part of the counter follows the version; its first bit is clear at the start.
  assert.equal(uuid(NOW_MS).slice(14, 18), "77ff");
});

test("two generators do not meet", () => {
  const first = systemRandom();
  const second = systemRandom();
  const ids = Array.from({ length: 10_000 }, () => [first.uuid(NOW_MS), second.uuid(NOW_MS)]).flat();
  assert.equal(new Set(ids).size, ids.length);
});

test("bytes come in the number asked for, and fractions below one", () => {
  const { bytes, fraction } = systemRandom();
  assert.equal(bytes(48).length, 48);
  assert.notDeepEqual(bytes(48), bytes(48));
  const value = fraction();
  assert.ok(value >= 0 && value < 1);
});

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

test("a folder is made with those above it, and one that is there does not change", (t) => {
  const at = mkdtempSync(join(tmpdir(), "boathook-make-"));
  t.after(() => rmSync(at, { recursive: true }));
  const deep = join(at, "a", "b", "c");
  makeFolder(deep, 0o700);
  for (const one of [join(at, "a"), deep]) assert.equal(statSync(one).mode & 0o777, 0o700);
  makeFolder(deep, 0o711);
  assert.equal(statSync(deep).mode & 0o777, 0o700);
  mkdirSync(join(at, "real"));
  symlinkSync("real", join(at, "link"));
  makeFolder(join(at, "link", "in"));
  assert.ok(statSync(join(at, "real", "in")).isDirectory());
});

test("what the system does not make is refused with its own error", { timeout: 10_000 }, (t) => {
  const at = mkdtempSync(join(tmpdir(), "boathook-make-"));
  t.after(() => rmSync(at, { recursive: true }));
  writeFileSync(join(at, "file"), "");
  symlinkSync("nowhere", join(at, "dangling"));
  assert.throws(() => makeFolder(join(at, "file")), { code: "EEXIST" });
  assert.throws(() => makeFolder(join(at, "file", "in")), { code: "ENOTDIR" });
  assert.throws(() => makeFolder(join(at, "dangling")), { code: "EEXIST" });
  if (process.platform === "linux") assert.throws(() => makeFolder("/proc/boathook/in"), { code: "ENOENT" });
});

const MODULE = join(import.meta.dirname, "..", "..", "src", "runtime", "system-process-context.ts");

type Ended = { readonly status: number | null; readonly out: string; readonly err: string };

/** Runs a script that has the process context as `at`; `onOut` may send it signals while it runs. */
function runScript(
  script: string,
  onOut: (out: string, child: ReturnType<typeof spawn>) => void = () => {},
): Promise<Ended> {
  const source = `import { systemProcessContext } from ${JSON.stringify(MODULE)}; const at = systemProcessContext(); ${script}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
    onOut(out, child);
  });
  child.stderr.on("data", (chunk: Buffer) => void (err += chunk.toString()));
  child.stdin.on("error", () => {});
  child.stdin.end("what is typed");
  return new Promise((resolve) => child.once("close", (status) => resolve({ status, out, err })));
}

for (const crash of [
  "Promise.reject(new Error('forgotten'))",
  "setTimeout(() => { throw new Error('forgotten') })",
]) {
  test(`an uncaught error is reported and ends the process with status 1: ${crash}`, async () => {
    const { status, err } = await runScript(
      `at.onCrash((cause) => at.err("caught " + cause.message)); setInterval(() => {}, 1000); ${crash};`,
    );
    assert.deepEqual([status, err], [1, "caught forgotten"]);
  });
}

test("the first signal is reported, a repeat at the same time counts once, and a later one ends the process", async () => {
  const script = `
    at.untilSignal().then((signal) => at.out(signal + " "));
    const busy = setInterval(() => {}, 1000);
    at.out("ready ");`;
  let sent = 0;
  const { status, out } = await runScript(script, (said, child) => {
    if (said.includes("ready") && sent === 0) {
      sent = 1;
      child.kill("SIGTERM");
    }
    if (!said.includes("SIGTERM") || sent > 1) return;
    sent = 2;
    child.kill("SIGINT");
    const again = setInterval(() => {
      if (child.exitCode === null) child.kill("SIGTERM");
      else clearInterval(again);
    }, 100);
  });
  assert.deepEqual([status, out], [1, "ready SIGTERM "]);
});

test("stdin is read to its end, and without a terminal there is no screen", async () => {
  const { status, out } = await runScript(
    `const input = await at.readInput(); at.out(JSON.stringify([input.toString(), at.terminal]));`,
  );
  assert.deepEqual([status, JSON.parse(out)], [0, ["what is typed", null]]);
});

test("a reader that closes its end of the pipe ends the process without an error", async () => {
  const { status, err } = await runScript(
    `at.out("first\\n"); setInterval(() => at.out("more\\n".repeat(1000)), 1);`,
    (_out, child) => child.stdout!.destroy(),
  );
  assert.deepEqual([status, err], [0, ""]);
});

test("Linux reports what a sync of a file system could not write from 5.8", () => {
  const reliable = ["4.18.0-553.el8.x86_64", "5.7.19", "5.8.0", "5.10.0-33-amd64", "6.1"].filter(
    isReliableSync,
  );
  assert.deepEqual(reliable, ["5.8.0", "5.10.0-33-amd64", "6.1"]);
});
