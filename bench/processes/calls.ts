/** Calls from the runner to the processes that it starts, over Node's own channel between parent and child. */
import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";

/** What a process can be asked to do; each takes one value and answers with one. */
export type Calls = Readonly<Record<string, (argument: never) => unknown>>;

type Question = { readonly number: number; readonly name: string; readonly argument: unknown };
type Answer = { readonly number: number; readonly value?: unknown; readonly error?: string };

/** In the process: answers the runner's calls until the runner is gone. */
export function answerCalls(calls: Calls): void {
  process.on("message", (question: Question) => void answer(question));
  process.on("disconnect", () => process.exit(0));

  async function answer({ number, name, argument }: Question): Promise<void> {
    try {
      const value = await (calls[name] as (argument: unknown) => unknown)(argument);
      process.send!({ number, value } satisfies Answer);
    } catch (error) {
      process.send!({ number, error: (error as Error).stack ?? String(error) } satisfies Answer);
    }
  }
}

/** A process of the bench, seen from the runner. */
export type Process<C extends Calls> = {
  readonly pid: number;
  call<Name extends keyof C & string>(
    name: Name,
    argument: Parameters<C[Name]>[0],
  ): Promise<Awaited<ReturnType<C[Name]>>>;
  end(): Promise<void>;
};

/** Starts `bench/processes/<file>`. A process that ends early fails all calls that wait for it. */
export function startProcess<C extends Calls>(file: string): Process<C> {
  const child = fork(join(import.meta.dirname, file), [], { serialization: "advanced" });
  const waiting = new Map<number, PromiseWithResolvers<never>>();
  let calls = 0;
  child.on("message", ({ number, value, error }: Answer) => {
    const promise = waiting.get(number)!;
    waiting.delete(number);
    if (error === undefined) promise.resolve(value as never);
    else promise.reject(new Error(`${file}: ${error}`));
  });
  child.on("exit", (code, signal) => {
    for (const promise of waiting.values()) promise.reject(new Error(`${file} ended with ${code ?? signal}`));
  });
  return {
    pid: child.pid!,
    call(name, argument) {
      const promise = Promise.withResolvers<never>();
      const number = calls++;
      waiting.set(number, promise);
      child.send({ number, name, argument } satisfies Question);
      return promise.promise;
    },
    end: () => ended(child),
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.disconnect();
  await exit;
}
