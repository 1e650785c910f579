import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

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
