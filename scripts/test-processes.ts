/**
 * Runs test files in a few processes at a time. A process for each file would load the sources hundreds of times: more
 * than half of all the work that a processor does for the tests.
 */
import { spawn } from "node:child_process";

/** On two processors: tests wait for databases, browsers and real time more than they compute. */
const PROCESSES = 3;

const OPTIONS = [
  ...["--test", "--test-isolation=none", "--test-force-exit", "--test-timeout=300000"],
  ...["--test-global-setup=test/support/global-setup.ts", "--import=./test/support/fixed-seed.ts"],
];

type Ended = { readonly status: number; readonly said: string };

/** With this, a process's report tells again what failed. */
const FAILING = "\n✖ failing tests:";

/** Prints what each process says when it has ended, and at last what failed, and the sums. Returns the exit status. */
export async function runTests(
  files: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<number> {
  const startedMs = performance.now();
  const dealt = Array.from({ length: Math.min(PROCESSES, files.length) }, (_, nth) =>
    // Neighbours in a folder cost about the same.
    files.filter((_path, at) => at % PROCESSES === nth),
  );
  const ended = await Promise.all(dealt.map((own) => runOne(own, { ...process.env, ...environment })));
  const said = ended.map((one) => one.said).join("\n");
  for (const one of ended) console.log(one.said.split(FAILING).slice(1).join(FAILING));
  const sums = ["tests", "pass", "fail", "cancelled", "skipped"].map((name) => [name, sumOf(said, name)]);
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  console.log(`\nall: ${sums.map(([name, sum]) => `${name} ${sum}`).join(", ")}, in ${seconds} s`);
  return ended.every(({ status }) => status === 0) ? 0 : 1;
}

function runOne(files: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...OPTIONS, ...files], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      const said = Buffer.concat(chunks).toString();
      process.stdout.write(said.split(FAILING)[0]!);
      resolve({ status: code ?? 1, said });
    });
  });
}

/** Of the lines that end what a process says. */
function sumOf(said: string, name: string): number {
  const found = said.matchAll(new RegExp(`^ℹ ${name} (\\d+)$`, "gm"));
  return [...found].reduce((sum, [, count]) => sum + Number(count), 0);
}
