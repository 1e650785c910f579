/** What nodes count of themselves, compared with what arrived, and with what failed. */
import { isUnfit, type Metered, mayBeLost, type Observed, seconds, WRITTEN_MS_MAX } from "./observed.ts";

/** From the text of `/metrics`. */
export function meteredOf(text: string): Pick<Metered, "attempts" | "errors" | "bugs"> {
  const sumOf = (of: RegExp): number =>
    text
      .split("\n")
      .filter((line) => of.test(line))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
  return {
    attempts: sumOf(/^boathook_attempts_total\{/),
    errors: sumOf(/^boathook_database_errors_total\{/),
    bugs: sumOf(/^boathook_(?:broken_invariants_total\{|database_errors_total\{class="other")/),
  };
}

export function wrongOfMetered(seen: Observed): readonly string[] {
  const wrong: string[] = [];
  for (const [node, some] of Map.groupBy(seen.metered, (one) => one.node)) {
    const its = seen.arrivals.filter((arrival) => arrival.node === node);
    for (const { askedMs, doneMs, attempts, bugs } of some) {
      if (bugs > 0) wrong.push(`${node} counts ${bugs} bugs of its own at ${seconds(doneMs)}`);
      const most = its.filter(({ endedMs }) => endedMs <= doneMs).length;
      const least = its.filter(
        (one) => one.endedMs + WRITTEN_MS_MAX <= askedMs && !mayBeLost(one, seen),
      ).length;
      if (attempts > most || attempts < least)
        wrong.push(`${node} counts ${attempts} attempts at ${seconds(doneMs)}, and made ${least} to ${most}`);
    }
    for (const fault of seen.faults) {
      const { kind, fromMs, untilMs } = fault;
      // A node that lay frozen has counted nothing.
      if (seen.faults.some((one) => one.node === node && one.untilMs >= fromMs && one.fromMs <= untilMs))
        continue;
      const before = some.findLast(({ doneMs }) => doneMs < fromMs);
      const during = some.find(({ askedMs, doneMs }) => isUnfit(fault, askedMs, doneMs));
      if (before !== undefined && during !== undefined && during.errors <= before.errors)
        wrong.push(`${node} counts no errors of a database that is ${kind} since ${seconds(fromMs)}`);
    }
  }
  return wrong;
}
