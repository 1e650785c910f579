/**
 * Runs test files in a few processes at a time. A process for each file would load the sources hundreds of times: more
 * than half of all the work that a processor does for the tests.
 */
import { spawn } from "node:child_process";

/** On two processors: tests wait for databases, browsers and real time more than they compute. */
const PROCESSES = 3;

const OPTIONS = ["--test", "--test-global-setup=test/support/global-setup.ts"];

/** Many files in each process, with the same drawn cases in every run. */
const TOGETHER = [
  ...["--test-isolation=none", "--test-force-exit", "--test-timeout=300000"],
  "--import=./test/support/fixed-seed.ts",
];

/** A process of its own for each file, as tests that kill processes and fill disks need it, two at a time. */
const APART = ["--test-concurrency=2", "--test-timeout=120000"];

/**
 * With `BOATHOOK_TEST_AGAIN=1`, as many files that failed run once more, alone. More of them are no matter of the
 * machine: `docs/decisions/tests-again.md`.
 */
const AGAIN_MAX = 3;

export type Run = {
  readonly files: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Each file in a process of its own. */
  readonly apart?: boolean;
};

type Ended = { readonly status: number; readonly said: string };

/** With this, a process's report tells again what failed. */
const FAILING = "\n✖ failing tests:";

/** Prints what each process says when it has ended, and at last what failed, and the sums. Returns the exit status. */
export async function runTests(run: Run): Promise<number> {
  const startedMs = performance.now();
  const ended = await Promise.all(dealt(run).map((own) => runOne(own, run)));
  const said = ended.map((one) => one.said).join("\n");
  for (const one of ended) console.log(failuresIn(one.said));
  const sums = ["tests", "pass", "fail", "cancelled", "skipped"].map((name) => [name, sumOf(said, name)]);
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  console.log(`\nall: ${sums.map(([name, sum]) => `${name} ${sum}`).join(", ")}, in ${seconds} s`);
  if (ended.every(({ status }) => status === 0)) return 0;
  if (process.env["BOATHOOK_TEST_AGAIN"] !== "1") return 1;
  const failed = ended.filter(({ status }) => status !== 0).map((one) => failedFiles(one.said));
  // A process may have ended by something else than a test, and a test may stand in a file that is no suite's.
  const areKnown = failed.every(
    (files) => files.length > 0 && files.every((file) => run.files.includes(file)),
  );
  return areKnown ? runAgain({ ...run, files: failed.flat() }) : 1;
}

function dealt({ files, apart = false }: Run): readonly (readonly string[])[] {
  if (apart) return [files];
  // Neighbours in a folder cost about the same.
  return Array.from({ length: Math.min(PROCESSES, files.length) }, (_, nth) =>
    files.filter((_path, at) => at % PROCESSES === nth),
  );
}

function failuresIn(said: string): string {
  return said.split(FAILING).slice(1).join(FAILING);
}

/** Of what Node's reporter says. */
export function failedFiles(said: string): readonly string[] {
  return [
    ...new Set([...failuresIn(said).matchAll(/^test at (\S+?\.ts):\d+:\d+$/gm)].map(([, file]) => file!)),
  ];
}

/** One after the other. */
async function runAgain(run: Run): Promise<number> {
  if (run.files.length > AGAIN_MAX) return 1;
  let result = 0;
  for (const file of run.files) {
    console.log(`\nonce more, alone: ${file}`);
    const { status, said } = await runOne([file], run);
    console.log(failuresIn(said));
    console.log(`${status === 0 ? "UNSTEADY, failed above and passed now" : "failed twice"}: ${file}`);
    if (status !== 0) result = 1;
  }
  return result;
}

function runOne(files: readonly string[], { environment, apart = false }: Run): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...OPTIONS, ...(apart ? APART : TOGETHER), ...files], {
      env: { ...process.env, ...environment },
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
