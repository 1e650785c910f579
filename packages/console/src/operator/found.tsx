/** What a search has found: the list that grows below, or that there is none. */
import type { ComponentChildren } from "preact";

import { Listed, type Pages } from "../ui/data.tsx";
import { Empty, Section } from "../ui/parts.tsx";

type FoundProps<T> = {
  readonly title: string;
  readonly of: Pages<T>;
  /** "No delivery matches" */
  readonly none: string;
  /** What to do where there is none. */
  readonly hint: ComponentChildren;
  readonly children: (items: readonly T[], isCut: boolean) => ComponentChildren;
};

export function Found<T>({ title, of, none, hint, children }: FoundProps<T>) {
  const { more, renew } = of;
  return (
    <Section
      title={title}
      aside={
        renew !== null && (
          <button type="button" onClick={renew}>
            Show the newest
          </button>
        )
      }
    >
      <Listed
        of={of}
        empty={
          <Empty title={more === null ? none : "None among the newest"}>
            {more === null ? hint : "Older ones may match: go on below."}
          </Empty>
        }
      >
        {children}
      </Listed>
    </Section>
  );
}
