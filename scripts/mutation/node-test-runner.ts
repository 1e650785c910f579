/**
 * A test runner for Stryker that calls tests written for `node:test` in Stryker's own process. A process for each
 * mutant and test file would cost some 200 ms.
 *
 * For each mutant every module that imports the mutant's, through others or not, loads again (`loading`), test files
 * among them: a module that keeps what it made keeps nothing from one mutant to the next. Since the mutant is on while
 * they load, one in a constant of a module is like any other: what a file reaches as it loads, each of its tests reaches.
 *
 * Stryker ends and replaces the process when a run takes too long, and after `maxTestRunnerReuse` mutants, because
 * a module that was loaded stays in memory.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import {
  INSTRUMENTER_CONSTANTS,
  type InstrumenterContext,
  type StrykerOptions,
} from "@stryker-mutator/api/core";
import { commonTokens, declareFactoryPlugin, PluginKind, tokens } from "@stryker-mutator/api/plugin";
import {
  determineHitLimitReached,
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from "@stryker-mutator/api/test-runner";
import fc from "fast-check";

import { collectTests } from "./collected-tests.ts";
import { reachedFrom } from "./import-graph.ts";
import { runTests, type TestEnd } from "./run-tests.ts";

/** Properties try the same values in each run, so that a mutant's end does not change by chance. */
const SEED = 20_260_819;

/** How long each test took in the dry run, in ms, for the processes that run mutants. */
const TIMES_FILE = "test-times.json";

const STAND_IN = new URL("collected-tests.ts", import.meta.url).href;

/** Which modules load again, and as which generation. */
let loading: { readonly generation: number; readonly isAnew: (path: string) => boolean } = {
  generation: 0,
  isAnew: () => true,
};

const stripped = new Map<string, string>();

registerHooks({
  resolve(specifier, context, next) {
    // The runner's own modules use the real one.
    if (context.parentURL === undefined || context.parentURL.includes("/scripts/mutation/")) {
      return next(specifier, context);
    }
    if (specifier === "node:test") return { url: STAND_IN, shortCircuit: true };
    const resolved = next(specifier, context);
    return { ...resolved, url: addressIn(loading, resolved.url) };
  },
  load(url, context, next) {
    if (!url.includes(GENERATION)) return next(url, context);
    const path = fileURLToPath(url);
    const source = stripped.get(path) ?? stripTypeScriptTypes(readFileSync(path, "utf8"));
    stripped.set(path, source);
    return { format: "module", source, shortCircuit: true };
  },
});

const GENERATION = "?generation=";

function addressIn({ generation, isAnew }: typeof loading, url: string): string {
  const isOurs = url.startsWith("file:") && url.endsWith(".ts") && !url.includes("/node_modules/");
  return isOurs && isAnew(fileURLToPath(url)) ? `${url}${GENERATION}${generation}` : url;
}

const stryker: InstrumenterContext = ((
  globalThis as unknown as { [INSTRUMENTER_CONSTANTS.NAMESPACE]?: InstrumenterContext }
)[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {});

/** How often each mutant was reached, by its id. */
type Hits = Record<string, number>;

type NodeTestOptions = {
  /** Globs, from the root of the project. */
  readonly testFiles: readonly string[];
  /** Globs of test files to leave out. */
  readonly exclude: readonly string[];
  /** Test files that import one of these files, through others or not, are left out. */
  readonly excludeImportersOf: readonly string[];
};

function testFilesIn({ testFiles, exclude, excludeImportersOf }: NodeTestOptions): readonly string[] {
  const imported = excludeImportersOf.map((path) => resolve(path));
  return globSync([...testFiles], { exclude: [...exclude] })
    .filter((file) => !imported.some((path) => reachedFrom(resolve(file)).has(path)))
    .toSorted();
}

const fileOf = (id: string): string => id.slice(0, id.indexOf(" > "));

function createRunner(options: StrykerOptions): TestRunner {
  const files = testFilesIn(options["nodeTest"] as NodeTestOptions);
  /**
   * The results of the tests of these files, up to the first that fails if `bail`. What imports `source` loads
   * again; everything where it is null.
   */
  async function run(
    source: string | null,
    chosen: readonly string[],
    isWanted: (id: string) => boolean,
    bail: boolean,
  ): Promise<readonly TestResult[]> {
    const results: TestResult[] = [];
    const observer = {
      starts(id: string) {
        stryker.currentTestId = id;
      },
      ends: (end: TestEnd) => void results.push(resultOf(end)),
    };
    const isAnew = (path: string): boolean => source === null || reachedFrom(path).has(source);
    loading = { generation: loading.generation + 1, isAnew };
    for (const file of chosen) {
      const address = addressIn(loading, pathToFileURL(resolve(file)).href);
      try {
        const tests = await collectTests(file, () => import(address));
        await runTests(
          tests.filter(({ id }) => isWanted(id)),
          bail,
          observer,
        );
      } catch (failure) {
        observer.ends({ id: `${file} > loads`, timeSpentMs: 0, status: "failed", failure });
      }
      delete stryker.currentTestId;
      if (bail && results.at(-1)?.status === TestStatus.Failed) break;
    }
    return results;
  }

  async function dryRun({ files: mutated }: DryRunOptions): Promise<DryRunResult> {
    const sources = mutated?.map((path) => resolve(path));
    const seen = files.filter((file) => {
      const reached = reachedFrom(resolve(file));
      return sources?.some((path) => reached.has(path)) ?? true;
    });
    const tests: TestResult[] = [];
    const perTest: Record<string, Hits> = {};
    for (const file of seen) {
      const coverage: { readonly static: Hits; readonly perTest: Record<string, Hits> } = {
        static: {},
        perTest: {},
      };
      stryker.mutantCoverage = coverage;
      const results = await run(null, [file], () => true, true);
      for (const { id } of results) perTest[id] = sumOf(coverage.static, coverage.perTest[id] ?? {});
      tests.push(...results);
    }
    writeFileSync(TIMES_FILE, JSON.stringify(tests.map(({ id, timeSpentMs }) => [id, timeSpentMs])));
    return { status: DryRunStatus.Complete, tests, mutantCoverage: { static: {}, perTest } };
  }

  async function mutantRun(mutant: MutantRunOptions): Promise<MutantRunResult> {
    const { testFilter, disableBail, hitLimit, activeMutant, sandboxFileName } = mutant;
    if (testFilter === undefined)
      throw new Error('stryker.config.json must say "coverageAnalysis": "perTest"');
    Object.assign(stryker, { hitCount: hitLimit === undefined ? undefined : 0, hitLimit });
    stryker.activeMutant = activeMutant.id;
    try {
      const wanted = new Set(testFilter);
      const tests = await run(
        resolve(sandboxFileName),
        cheapestFirst(wanted),
        (id) => wanted.has(id),
        !disableBail,
      );
      const reached = determineHitLimitReached(stryker.hitCount, hitLimit);
      return toMutantRunResult(reached ?? { status: DryRunStatus.Complete, tests: [...tests] });
    } finally {
      delete stryker.activeMutant;
    }
  }

  return { capabilities: () => ({ reloadEnvironment: true }), dryRun, mutantRun };
}

function sumOf(some: Hits, others: Hits): Hits {
  const sum = { ...some };
  for (const [mutant, hits] of Object.entries(others)) sum[mutant] = (sum[mutant] ?? 0) + hits;
  return sum;
}

let times: ReadonlyMap<string, number> | null = null;

function cheapestFirst(ids: ReadonlySet<string>): readonly string[] {
  times ??= new Map(JSON.parse(readFileSync(TIMES_FILE, "utf8")) as readonly (readonly [string, number])[]);
  const costs = new Map<string, number>();
  for (const id of ids) costs.set(fileOf(id), (costs.get(fileOf(id)) ?? 0) + (times.get(id) ?? 0));
  return [...costs.keys()].toSorted((a, b) => costs.get(a)! - costs.get(b)!);
}

function resultOf({ id, timeSpentMs, status, failure }: TestEnd): TestResult {
  const test = { id, name: id, fileName: fileOf(id), timeSpentMs };
  if (status === "passed") return { ...test, status: TestStatus.Success };
  if (status === "skipped") return { ...test, status: TestStatus.Skipped };
  const failureMessage = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
  return { ...test, status: TestStatus.Failed, failureMessage };
}

createNodeTestRunner.inject = tokens(commonTokens.options);
function createNodeTestRunner(options: StrykerOptions): TestRunner {
  // A failed property is not made smaller: that it failed is all that is asked.
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED, endOnFailure: true });
  return createRunner(options);
}

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, "node-test", createNodeTestRunner),
];

const GLOBS = { type: "array", items: { type: "string" } };

/** Stryker warns of settings that no schema knows. */
export const strykerValidationSchema = {
  type: "object",
  properties: {
    nodeTest: {
      type: "object",
      required: ["testFiles", "exclude", "excludeImportersOf"],
      properties: { testFiles: GLOBS, exclude: GLOBS, excludeImportersOf: GLOBS },
    },
  },
};
