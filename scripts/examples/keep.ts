/** Which kept examples hold, and what of a recording they lack. */
import { isDeepStrictEqual } from "node:util";

import type { KeptExamples, KeptRoute } from "../../src/http/openapi/examples.ts";
import { differenceOf } from "./difference.ts";

export type Compared = {
  /** What was kept where it shows all that was recorded, else what was recorded. */
  readonly examples: KeptExamples;
  /** A line a difference. */
  readonly differences: readonly string[];
};

export function compare(kept: KeptExamples, recorded: KeptExamples): Compared {
  const differences: string[] = [];
  const routes: Record<string, KeptRoute> = {};
  for (const [name, route] of Object.entries(recorded.routes)) {
    const before = kept.routes[name];
    const difference = before === undefined ? "is new" : differenceIn(before, route);
    if (difference !== null) differences.push(`${name} ${difference}`);
    routes[name] = difference === null ? before! : route;
  }
  for (const name of Object.keys(kept.routes)) if (!(name in routes)) differences.push(`${name} is gone`);
  if (!isDeepStrictEqual(kept.refusals, recorded.refusals)) differences.push("refusals differ");
  return { examples: { refusals: recorded.refusals, routes }, differences };
}

function differenceIn(kept: KeptRoute, recorded: KeptRoute): string | null {
  if (!isDeepStrictEqual(kept.refusals, recorded.refusals)) return "is refused in other words";
  for (const part of ["parameters", "bodies", "answers"] as const) {
    const [before = {}, now = {}] = [kept[part], recorded[part]];
    const names = Object.keys(now).toSorted();
    if (!isDeepStrictEqual(Object.keys(before).toSorted(), names))
      return `has other ${part}: ${names.join()}`;
    const difference = differenceOf(withoutOpen(now), withoutOpen(before));
    if (difference !== null) return `${part}: ${difference}`;
  }
  return null;
}

/** Counts by product, reason and the like. */
const COUNTS: ReadonlySet<string> = new Set([
  ...["checks", "delivered", "failed_attempts", "dead", "backlog", "left_by_reason"],
  ...["attempt_seconds", "arrival_seconds"],
]);

/** Without what has other members from one answer to the next: counts, and the data of events. */
function withoutOpen(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), function (this: object, name, member: unknown) {
    const isOpen = name === "data" ? "occurred_at" in this : COUNTS.has(name) && !Array.isArray(member);
    return isOpen && typeof member === "object" ? null : member;
  });
}
