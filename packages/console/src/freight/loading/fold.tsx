/** A part of the form that few need: folded until the reader, or a refusal in it, opens it. */
import type { ComponentChildren } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";

import { Refused } from "./field.tsx";

type FoldProps = {
  readonly title: string;
  /** What is chosen in it, for one who sees it folded. */
  readonly chosen: string;
  /** The fields of it, as the service names them. */
  readonly fields: RegExp;
  readonly children: ComponentChildren;
};

export function Fold({ title, chosen, fields, children }: FoldProps) {
  const refusal = useContext(Refused);
  const isRefused = fields.test(refusal?.field ?? "");
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isRefused) setOpen(true);
  }, [isRefused]);
  return (
    <details
      class="fold"
      // It is open before the refused field takes the focus.
      open={isOpen || isRefused}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      // A browser cannot point at a field that is folded away.
      onInvalidCapture={({ currentTarget }) => {
        currentTarget.open = true;
      }}
    >
      <summary>
        {title} <span class="quiet">{chosen}</span>
      </summary>
      {children}
    </details>
  );
}
