/** A reporter of `node:test` that tells the process which began this one how each test ended. */
import type { EventData } from "node:test";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";

export type Named = { readonly name: string; readonly type: "suite" | "test" };

/** A test; a suite only if it failed by itself. */
export type Ended = {
  /** From the outermost suite to the test. */
  readonly path: readonly Named[];
  readonly is: "passed" | "failed" | "skipped";
  readonly ms: number;
  /** Why it failed by itself, or was skipped. */
  readonly why?: string;
  /** Where one that failed stands: path and line. */
  readonly place?: string;
};

/** The types know nothing of them. */
type Numbered = { readonly testId: number; readonly parentId: number };

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const known = new Map<number, Numbered & Named>();
  for await (const { type, data } of events) {
    if (type === "test:enqueue") {
      const { testId, parentId } = data as unknown as Numbered;
      known.set(testId, { testId, parentId, name: data.name, type: data.type });
    }
    if (type !== "test:pass" && type !== "test:fail") continue;
    const end = type === "test:pass" ? passed(data) : failed(data);
    if (end !== null) await tell({ ...end, path: pathOf(known, data), ms: data.details.duration_ms });
  }
  yield "";
}

/** A test that its suite cancels is never enqueued. */
function pathOf(
  known: ReadonlyMap<number, Numbered & Named>,
  ended: EventData.TestPass | EventData.TestFail,
): readonly Named[] {
  const path: Named[] = [{ name: ended.name, type: ended.details.type ?? "test" }];
  const outer = (one: object) => known.get((one as Numbered).parentId);
  for (let one = outer(ended); one !== undefined; one = outer(one))
    path.unshift({ name: one.name, type: one.type });
  return path;
}

function tell(ended: Ended): Promise<void> {
  return new Promise((resolve) => process.send!(ended, () => resolve()));
}

type End = Omit<Ended, "path" | "ms"> | null;

function passed({ details, skip, todo }: EventData.TestPass): End {
  const why = skip ?? todo;
  if (why !== undefined) return { is: "skipped", why: String(why) };
  return details.type === "suite" ? null : { is: "passed" };
}

function failed({ details, nesting, file, line }: EventData.TestFail): End {
  const { cause, failureType } = details.error as Error & { readonly failureType?: string };
  // A test below it has said why. The outermost one has ended too.
  if (failureType === "subtestsFailed") return nesting > 0 ? null : { is: "failed" };
  const why = typeof cause === "string" ? cause : inspect(cause ?? details.error);
  return { is: "failed", why, place: `${file}:${line}` };
}
