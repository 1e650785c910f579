/**
 * What stands for `node:test` in a mutation run. The real module runs each test once, as its file is imported; a
 * mutation run calls the same test hundreds of times in one process. This module keeps the tests and hooks of each
 * file instead, for `run-tests.ts` to call.
 */
import { mock } from "node:test";

export type TestBody = (context: Context) => unknown;
export type Hook = () => unknown;

export type Context = {
  readonly name: string;
  readonly signal: AbortSignal;
  readonly mock: typeof mock;
  readonly passed: boolean;
  after(hook: Hook): void;
  diagnostic(message: string): void;
  skip(reason?: string): void;
  test(...given: TestArguments): Promise<void>;
};

/** A file, or one `describe` in it. */
export type Suite = {
  readonly name: string;
  readonly parent: Suite | null;
  readonly before: Hook[];
  readonly after: Hook[];
  readonly beforeEach: Hook[];
  readonly afterEach: Hook[];
};

/** The id is the same in each process: the file, the suites, the name, and a number where a name repeats. */
export type CollectedTest = { readonly id: string; readonly suite: Suite; readonly body: TestBody };

type Options = { readonly skip?: boolean | string };
type Arguments<Body> = readonly [name: string, options: Options | Body, body?: Body];
type TestArguments = Arguments<TestBody>;

const ids = new Set<string>();
let tests: CollectedTest[] = [];
let current: Suite = suiteNamed("", null);
let pending: Promise<unknown>[] = [];

function suiteNamed(name: string, parent: Suite | null): Suite {
  return { name, parent, before: [], after: [], beforeEach: [], afterEach: [] };
}

/** The tests that a file defines while `load` imports it. */
export async function collectTests(
  file: string,
  load: () => Promise<unknown>,
): Promise<readonly CollectedTest[]> {
  tests = [];
  pending = [];
  ids.clear();
  current = suiteNamed(file, null);
  await load();
  await Promise.all(pending);
  return tests;
}

function pathOf(suite: Suite): string {
  return suite.parent === null ? suite.name : `${pathOf(suite.parent)} > ${suite.name}`;
}

/** Both of `node:test`'s forms: with options before the body, and without. */
export function bodyOf<Body extends TestBody | (() => unknown)>([, options, body]: Arguments<Body>): {
  readonly skipped: boolean;
  readonly body: Body;
} {
  if (typeof options === "function") return { skipped: false, body: options };
  return { skipped: (options.skip ?? false) !== false, body: body! };
}

export function test(...given: TestArguments): void {
  const { skipped, body } = bodyOf(given);
  if (skipped) return;
  const path = `${pathOf(current)} > ${given[0]}`;
  let id = path;
  for (let number = 2; ids.has(id); number++) id = `${path} (${number})`;
  ids.add(id);
  tests.push({ id, suite: current, body });
}

export function describe(...given: Arguments<() => unknown>): void {
  const { skipped, body: define } = bodyOf(given);
  if (skipped) return;
  const outer = current;
  current = suiteNamed(given[0], outer);
  try {
    pending.push(Promise.resolve(define()));
  } finally {
    current = outer;
  }
}

export const it = test;
export const suite = describe;
export const before = (hook: Hook): void => void current.before.push(hook);
export const after = (hook: Hook): void => void current.after.push(hook);
export const beforeEach = (hook: Hook): void => void current.beforeEach.push(hook);
export const afterEach = (hook: Hook): void => void current.afterEach.push(hook);
export { mock };
export default test;
