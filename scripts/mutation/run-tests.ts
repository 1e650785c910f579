/** Runs collected tests as `node:test` would: hooks around them, one after the other, the first failure ends it. */
import { bodyOf, type CollectedTest, type Context, type Hook, type Suite } from "./collected-tests.ts";
import { mock } from "node:test";

export type TestEnd = {
  readonly id: string;
  readonly timeSpentMs: number;
  readonly status: "passed" | "failed" | "skipped";
  readonly failure: unknown;
};

type Observer = { starts(id: string): void; ends(end: TestEnd): void };

/** What no promise of the test's own reports: a throw in a callback, a rejection that nobody handles. */
let escaped: (reason: unknown) => void = () => undefined;
process.on("uncaughtException", (error) => escaped(error));
process.on("unhandledRejection", (reason) => escaped(reason));

function* outward(suite: Suite | null): Generator<Suite> {
  for (let one = suite; one !== null; one = one.parent) yield one;
}

async function call(hooks: readonly Hook[]): Promise<void> {
  for (const hook of hooks) await hook();
}

/** Ends at the first test that fails unless `bail` is false. Tests of one file are to be in one run of their own. */
export async function runTests(
  tests: readonly CollectedTest[],
  bail: boolean,
  { starts, ends }: Observer,
): Promise<void> {
  const entered: Suite[] = [];
  const leave = async (kept: readonly Suite[]) => {
    while (entered.length > 0 && !kept.includes(entered.at(-1)!)) await call(entered.pop()!.after);
  };
  try {
    for (const one of tests) {
      starts(one.id);
      const path = [...outward(one.suite)].toReversed();
      const startedMs = performance.now();
      const result = await settled(async () => {
        await leave(path);
        for (const suite of path.filter((each) => !entered.includes(each))) {
          entered.push(suite);
          await call(suite.before);
        }
        return runBody(one, path);
      });
      ends({ id: one.id, timeSpentMs: performance.now() - startedMs, ...result });
      if (bail && result.status === "failed") return;
    }
  } finally {
    await leave([]).catch(() => undefined);
  }
}

/** No test takes as long; under a mutant many wait for what never comes, and a new process costs more than this. */
const TEST_MS_MAX = 2_000;

async function settled(
  run: () => Promise<"passed" | "skipped">,
): Promise<Pick<TestEnd, "status" | "failure">> {
  let limit: NodeJS.Timeout | undefined;
  try {
    const escape = new Promise<never>((_resolve, reject) => {
      escaped = reject;
      limit = setTimeout(() => reject(new Error(`it takes longer than ${TEST_MS_MAX} ms`)), TEST_MS_MAX);
    });
    return { status: await Promise.race([run(), escape]), failure: null };
  } catch (error) {
    return { status: "failed", failure: error };
  } finally {
    clearTimeout(limit);
    escaped = () => undefined;
  }
}

async function runBody({ id, body }: CollectedTest, path: readonly Suite[]): Promise<"passed" | "skipped"> {
  const afters: Hook[] = [];
  const ended = new AbortController();
  const state = { skipped: false, passed: false };
  const context: Context = {
    name: id,
    signal: ended.signal,
    mock,
    get passed() {
      return state.passed;
    },
    after: (hook) => void afters.push(hook),
    diagnostic: () => undefined,
    skip: () => {
      state.skipped = true;
    },
    test: async (...given) => {
      const inner = bodyOf(given);
      if (!inner.skipped) await inner.body({ ...context, name: given[0] });
    },
  };
  try {
    for (const suite of path) await call(suite.beforeEach);
    await body(context);
    state.passed = true;
  } finally {
    ended.abort();
    await call(afters);
    for (const suite of path.toReversed()) await call(suite.afterEach);
    mock.restoreAll();
  }
  return state.skipped ? "skipped" : "passed";
}
