import { after, before } from "node:test";

/**
 * What a suite starts before its tests and closes behind them, to be called in a `describe`:
 *
 *     const service = ofSuite(() => startService());   // used in tests and hooks as what was started
 */
export function ofSuite<T extends { close(): Promise<void> }>(start: () => Promise<T>): T {
  let started: T | null = null;
  before(async () => {
    started = await start();
  });
  after(() => started?.close());
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(started!, name),
    set: (_, name, value) => Reflect.set(started!, name, value),
  });
}
