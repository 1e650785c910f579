/** One line of time of what a source said and what was raised. */

/** What a source said; `at` null: it says no time. */
type Said = { readonly at: string | null };
type Raised = { readonly id: string; readonly created_at: string };

export type Entry<One extends Said, Event extends Raised> =
  | { readonly is: "said"; readonly said: One }
  | { readonly is: "raised"; readonly raised: Event };

/**
 * `said` in its own order, and before the first of it that is later, what was raised. `raised` comes newest first; with
 * `isCut` older ones are not known, and the line begins with the oldest that is.
 */
export function inOneLine<One extends Said, Event extends Raised>(
  said: readonly One[],
  raised: readonly Event[],
  isCut: boolean,
): readonly Entry<One, Event>[] {
  const waiting = [...raised];
  const line: Entry<One, Event>[] = [];
  const raiseUntil = (ms: number): void => {
    while (waiting.length > 0 && Date.parse(waiting.at(-1)!.created_at) < ms)
      line.push({ is: "raised", raised: waiting.pop()! });
  };
  for (const one of said) {
    if (one.at !== null) raiseUntil(Date.parse(one.at));
    line.push({ is: "said", said: one });
  }
  raiseUntil(Number.POSITIVE_INFINITY);
  const first = isCut ? line.findIndex(({ is }) => is === "raised") : 0;
  return line.slice(Math.max(0, first));
}
