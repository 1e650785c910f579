import type { TestContext } from "node:test";

type Ending = () => void | Promise<void>;

const endings = new WeakMap<TestContext, Ending[]>();

/** To be done when the test ends, however it ends; what was begun last ends first, unlike with `t.after`. */
export function atEnd(t: TestContext, ending: Ending): void {
  const known = endings.get(t);
  if (known !== undefined) return void known.push(ending);
  const mine = [ending];
  endings.set(t, mine);
  t.after(async () => {
    const failures: unknown[] = [];
    for (const end of mine.toReversed()) {
      try {
        await end();
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0) throw failures[0];
  });
}
