/**
 * `npm run test:mutation:sql`: changes each statement in small ways, one at a time, and runs the tests that use the
 * statement. A change that no test sees is a survivor: a test is missing, or the statement says more than it needs.
 *
 *     --only delivery_settle,event_raise   these statements
 *     --files <glob>        the test files that may be run
 *     --tests <n>           at most this many files for one mutant: the files that killed most first, then
 *                         store tests, then the files that use fewest statements
 *     --sample <n>          so many mutants of each statement; --seed <text> chooses others
 *     --jobs <n>            mutants at a time
 *
 * sql-survivors.json lists the mutants that may survive, with the reasons; they are not run.
 */
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { startTestServer } from "../support/test-server.ts";
import { runTestFile } from "./run-test-file.ts";
import { mutantsOf, type Mutant } from "./sql-operators.ts";
import { withParameters } from "./sql-parameters.ts";
import { openRefusals, type Refusals } from "./sql-refusals.ts";
import { type Explained, figuresOf, keyOf, lineOf, type Verdict } from "./sql-verdicts.ts";
import { recordUses, type TestFile } from "./statement-uses.ts";

/** So much longer than without the mutant may a test file take: it may wait for what never comes. */
const TIMEOUT_FACTOR = 4;
const TIMEOUT_EXTRA_MS = 10_000;

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    files: { type: "string", default: "test/**/*.test.ts" },
    tests: { type: "string", default: "4" },
    sample: { type: "string", default: "Infinity" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: "1" },
  },
});

const explained = new Map(
  (JSON.parse(readFileSync(join(import.meta.dirname, "sql-survivors.json"), "utf8")) as Explained[]).map(
    (entry) => [keyOf(entry), entry.reason],
  ),
);

/** Every test process starts from the same compiled sources. */
process.env["NODE_COMPILE_CACHE"] ??= join(tmpdir(), `boathook-test-${process.getuid?.() ?? 0}-code`);
// Test files that find no running server start one each.
const server = await startTestServer();
const refusals = await openRefusals(server);
try {
  const files = await recordUses(options.files, console.log);
  const only = options.only?.split(",");
  const all: Verdict[] = [];
  for (const path of globSync("src/**/store/**/*.sql").toSorted()) {
    const name = basename(path, ".sql");
    if (only !== undefined && !only.includes(name)) continue;
    const verdicts = await tryStatement(path, files, refusals);
    all.push(...verdicts);
    console.log(`${name}: ${figuresOf(verdicts)}`);
  }
  console.log(`\nTotal: ${figuresOf(all)}`);
} finally {
  await refusals.close();
  await server.stop();
}

async function tryStatement(
  path: string,
  files: readonly TestFile[],
  database: Refusals,
): Promise<readonly Verdict[]> {
  const text = readFileSync(path, "utf8");
  const types = await database.typesOf(text);
  // A statement may be named by its folder as well.
  const using = files.filter(({ statements }) => statements.some((name) => path.endsWith(`/${name}.sql`)));
  const killsOf = new Map<string, number>();
  const left = sampleOf(path, mutantsOf(text));
  const verdicts: Verdict[] = [];
  async function work(): Promise<void> {
    for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
      const mutated = withParameters(mutant.text, types);
      const { before, after } = mutant;
      const key = keyOf({ statement: basename(path, ".sql"), line: lineOf(text, mutant), before, after });
      const reason = explained.get(key);
      const verdict: Verdict =
        reason !== undefined
          ? { kind: "explained", reason }
          : (await database.refuses(mutated))
            ? { kind: "refused" }
            : await tryMutant(path, mutated, inOrder(using, killsOf));
      if (verdict.kind === "killed") killsOf.set(verdict.by, (killsOf.get(verdict.by) ?? 0) + 1);
      if (verdict.kind === "survived")
        console.log(`  ${path}:${mutant.line}: ${before} → ${after}\n    ${key}`);
      verdicts.push(verdict);
    }
  }
  await Promise.all(Array.from({ length: Number(options.jobs) }, work));
  return verdicts;
}

/**
 * Puts the files that killed most mutants of the statement first, then the nearest: the store's own tests, the files
 * that use fewest statements, and the fastest.
 */
function inOrder(files: readonly TestFile[], killsOf: ReadonlyMap<string, number>): readonly TestFile[] {
  const isOfStore = ({ path }: TestFile) => path.startsWith("test/store/");
  const kills = (file: TestFile) => killsOf.get(file.path) ?? 0;
  return files
    .toSorted(
      (a, b) =>
        kills(b) - kills(a) ||
        Number(isOfStore(b)) - Number(isOfStore(a)) ||
        a.statements.length - b.statements.length ||
        a.tookMs - b.tookMs,
    )
    .slice(0, Number(options.tests));
}

async function tryMutant(path: string, text: string, files: readonly TestFile[]): Promise<Verdict> {
  if (files.length === 0) return { kind: "untested" };
  const mutant = JSON.stringify({ file: resolve(path), text });
  for (const file of files) {
    const ended = await runTestFile(file.path, {
      hook: "mutant-hook.ts",
      environment: { BOATHOOK_MUTATION_MUTANT: mutant },
      timeoutMs: file.tookMs * TIMEOUT_FACTOR + TIMEOUT_EXTRA_MS,
    });
    if (ended.kind !== "passed") return { kind: "killed", by: file.path };
  }
  return { kind: "survived" };
}

/** The same for the same seed, whatever else changes. */
function sampleOf(path: string, mutants: readonly Mutant[]): Mutant[] {
  const count = Number(options.sample);
  if (mutants.length <= count) return [...mutants];
  const rank = ({ before, after, line }: Mutant) =>
    createHash("sha256").update([options.seed, path, line, before, after].join("\n")).digest("hex");
  return mutants.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, count);
}
