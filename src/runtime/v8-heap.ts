import { setFlagsFromString } from "node:v8";

const GROWTH_PERCENT = 60;

/**
 * Collects the old generation once it has grown by {@link GROWTH_PERCENT} since the last collection. V8 lets it grow up
 * to fourfold, a quarter of the process under load. Twice this growth takes 32 MB more; it saves a tenth of the
 * processor for single events, and nothing in batches (docs/benchmarks.md).
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
