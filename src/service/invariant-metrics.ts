/** Broken invariants of the engine, for `/metrics`. */
import { Counter, type Registry } from "prom-client";

import { INVARIANTS, type Invariant } from "../engine/invariants.ts";

export function exposeInvariantMetrics(
  registry: Registry,
  broken: () => ReadonlyMap<Invariant, number>,
): void {
  new Counter({
    name: "boathook_broken_invariants_total",
    help: "Checks of the engine on itself that failed. Anything but 0 is a bug to report.",
    labelNames: ["invariant"],
    registers: [registry],
    collect() {
      this.reset();
      for (const invariant of INVARIANTS) this.inc({ invariant }, broken().get(invariant) ?? 0);
    },
  });
}
