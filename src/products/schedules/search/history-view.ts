/** What has changed about a call, as the public route shows it. */
import { utcText } from "../../../model/instant.ts";
import type { CallRecord, FactValue } from "../calls/call-record.ts";
import type { CallStatement, CallTime } from "../calls/call-statement.ts";
import { hoursOf } from "../events/event-draft.ts";
import { showCall } from "./call-view.ts";

export type CallChange = {
  readonly changed_at: string;
  readonly field: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly shift_hours: number | null;
};

/** The call as it is, and its changes, oldest first. */
export function showCallWithHistory(record: CallRecord) {
  return {
    ...showCall(record),
    first_seen_at: utcText(record.firstSeenMs),
    changes: Object.entries(record.history)
      .flatMap(([fact, values = []]) => changesOf(fact, values))
      .toSorted((one, other) => order(one.changed_at, other.changed_at) || order(one.field, other.field)),
  };
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function changesOf(fact: string, values: readonly FactValue[]): readonly CallChange[] {
  const steps = values.slice(1).map((now, index) => ({ now, before: values[index]! }));
  if (fact === "vessel") {
    return steps.flatMap(({ now, before }) => {
      const [vessel, former] = [now.value, before.value] as readonly CallStatement["vessel"][];
      return (["imo", "name"] as const).flatMap((part) =>
        vessel?.[part] === former?.[part]
          ? []
          : [change(`vessel_${part}`, former?.[part] ?? null, vessel?.[part] ?? null, now)],
      );
    });
  }
  if (fact === "terminal" || fact === "status") {
    const field = fact === "status" ? "status_code" : fact;
    return steps.map(({ now, before }) =>
      change(field, before.value as string | null, now.value as string | null, now),
    );
  }
  const field = fact.replace(/^cutOff\./, "cut_offs.");
  return steps.map(({ now, before }) => {
    const [at, former] = [now.value, before.value] as readonly (CallTime | null)[];
    const shift = at === null || at === undefined || !former ? null : hoursOf(at.ms - former.ms);
    return change(field, textOf(former), textOf(at), now, shift);
  });
}

function change(
  field: string,
  from: string | null,
  to: string | null,
  { sinceMs }: FactValue,
  shiftHours: number | null = null,
): CallChange {
  return { changed_at: utcText(sinceMs), field, from, to, shift_hours: shiftHours };
}

function textOf(at: CallTime | null | undefined): string | null {
  return at === null || at === undefined ? null : utcText(at.ms);
}
