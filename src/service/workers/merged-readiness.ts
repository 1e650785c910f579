/** The readiness of all workers as that of one service: ready while one of them is. */
import type { NotReady } from "../../operator/ports.ts";

type Reasons = NotReady["checks"];

/** `reasons` by worker; a worker without any is ready. */
export function mergeReadiness(reasons: ReadonlyMap<number, Reasons>): NotReady {
  const ill = [...reasons].filter(([, own]) => Object.keys(own).length > 0);
  if (ill.length === 0) return { checks: {} };
  const workers = Object.fromEntries(ill);
  return ill.length < reasons.size
    ? { checks: {}, workers }
    : { checks: union(Object.values(workers)), workers };
}

/** By check, each text once. */
function union(all: readonly Reasons[]): Reasons {
  const texts = new Map<string, Set<string>>();
  for (const [check, text] of all.flatMap((one) => Object.entries(one))) {
    texts.set(check, (texts.get(check) ?? new Set()).add(text));
  }
  return Object.fromEntries([...texts].map(([check, those]) => [check, [...those].join("; ")]));
}
