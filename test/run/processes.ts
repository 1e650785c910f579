/** Runs test files in processes, and tells how each test and each file ends. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";

import { byLength, deal, type Lengths } from "./lengths.ts";
import type { Ended } from "./reporter.ts";
import type { Chosen } from "./suites.ts";

/** Tests wait for databases, browsers and real time more than they compute. */
const TOGETHER_PROCESSES = availableParallelism() + 1;
/** With those of faults, which wait for leases and servers most of the time. */
const PROCESSES_MAX = 2 * availableParallelism() + 1;

const OPTIONS = [
  "--disable-warning=ExperimentalWarning",
  "--import=./test/support/fixed-seed.ts",
  ...["--test-force-exit", "--test-reporter=./test/run/reporter.ts"],
];

/** Of a file, and of each test in it. */
const TIMEOUT_MS = 600_000;
/** Hundreds of kills, one after the other. */
const SOAK_TIMEOUT_MS = 3_600_000;

export type Listener = {
  ended(file: string, test: Ended): void;
  /** The file has run, in so many seconds. */
  fileEnded(file: string, seconds: number): void;
  /** What a process said by itself. */
  said(text: string): void;
};

type Lot = {
  readonly files: readonly string[];
  /** One file alone, without the loader's test around it, which has not the name that tests must have. */
  readonly name?: string | undefined;
};

/** Resolves when all have ended. Needs the server of `test/support/global-setup.ts`. */
export async function runChosen(
  { together, apart, name }: Chosen,
  lengths: Lengths,
  to: Listener,
): Promise<void> {
  const waiting: Lot[] = [
    ...deal(together, TOGETHER_PROCESSES, lengths).map((files) => ({ files })),
    ...byLength(apart, lengths).map((file) => ({ files: [file], name })),
  ];
  const runNext = async () => {
    for (let lot = waiting.shift(); lot !== undefined; lot = waiting.shift()) await runLot(lot, to);
  };
  await Promise.all(Array.from({ length: PROCESSES_MAX }, runNext));
}

async function runLot({ files, name }: Lot, to: Listener): Promise<void> {
  const words =
    name === undefined
      ? ["test/run/load-files.ts", ...files]
      : [`--test-name-pattern=${RegExp.escape(name)}`, ...files];
  const startedMs = performance.now();
  const left = new Set(files);
  let hasFailed = false;
  const end = (file: string, seconds: number) => {
    left.delete(file);
    to.fileEnded(file, seconds);
  };
  // Node runs no tests below a process that it knows as one of its tests.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const timeoutMs = files.some((file) => file.endsWith(".soak.ts")) ? SOAK_TIMEOUT_MS : TIMEOUT_MS;
  const child = spawn(process.execPath, [...OPTIONS, `--test-timeout=${timeoutMs}`, ...words], {
    env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding("utf8").on("data", to.said);
  let running = files[0]!;
  child.on("message", (message) => {
    if ("begins" in (message as object))
      return void (running = (message as { readonly begins: string }).begins);
    const test = message as Ended;
    const [file, path] =
      name === undefined ? [test.path[0]!.name, test.path.slice(1)] : [files[0]!, test.path];
    const isFile = path.length === 0;
    hasFailed ||= test.is === "failed";
    if (test.is === "failed" ? test.why !== undefined : !isFile) to.ended(file, { ...test, path });
    if (isFile) end(file, test.ms / 1_000);
  });
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  const isWell = code === 0 || (hasFailed && left.size === 0);
  if (!isWell && (name === undefined || !hasFailed)) {
    const fail = (file: string, why: string) => to.ended(file, { path: [], is: "failed", ms: 0, why });
    fail(running, `the process ended with ${code ?? signal} while it ran`);
    left.delete(running);
    for (const file of left) fail(file, `its process ended at ${running}`);
    left.add(running);
  }
  for (const file of left) end(file, (performance.now() - startedMs) / 1_000);
}
