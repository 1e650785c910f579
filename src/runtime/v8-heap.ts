/** How the process uses its memory. */
import { setFlagsFromString } from "node:v8";

/** How far the heap may grow beyond what was alive when it was last collected, percent. */
const GROWTH_PERCENT = 60;

/**
 * Has the old part of the heap collected once it has grown by {@link GROWTH_PERCENT}. V8 by itself lets it grow up to
 * fourfold while the machine has memory, which is a quarter of the process under load; collecting sooner costs a
 * hundredth of the time (docs/benchmarks.md).
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
