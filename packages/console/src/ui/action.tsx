/** What a reader does on a page that changes something. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { Answered } from "./api.ts";

/**
 * Sends a request, one at a time, and keeps why the last one was refused. `before`: what is wrong already. `run` does not call
 * `done` once the reader has left the page: it would take them away from where they are.
 */
export function useAction(before: string | null = null) {
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState(before);
  const sending = useRef(false);
  const run = async <T,>(
    ask: () => Promise<Answered<T>>,
    done: (value: T) => void = () => undefined,
  ): Promise<void> => {
    if (sending.current) return;
    setIsSending((sending.current = true));
    const from = location.pathname;
    try {
      const given = await ask();
      setFailure(given.ok ? null : given.failure.message);
      if (given.ok && location.pathname === from) done(given.value);
    } finally {
      setIsSending((sending.current = false));
    }
  };
  return { isSending, failure, run, refuse: setFailure };
}

type ConfirmProps = {
  /** What asks first: "Pause…". */
  readonly name: string;
  readonly verb: string;
  /** What comes of it. */
  readonly about: string;
  readonly tone?: "primary" | "bad";
  readonly first?: "primary" | "plain" | "";
  readonly isDisabled?: boolean;
  readonly onConfirm: () => void;
};

/**
 * A button that asks before it acts. The focus goes to what takes its place, and back: it is never `disabled`, which would
 * drop it. A question is gone when the button's name changes: who was asked about the one does not confirm the other.
 */
export function Confirm(props: ConfirmProps) {
  const { name, verb, about, tone = "primary", first = "", isDisabled = false, onConfirm } = props;
  const [asked, setAsked] = useState<string | null>(null);
  const isAsking = asked === name;
  const [seen] = useState({ isAsking });
  const focused = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (seen.isAsking !== isAsking) focused.current?.focus();
    seen.isAsking = isAsking;
  }, [isAsking]);
  const confirm = (): void => {
    setAsked(null);
    onConfirm();
  };
  if (!isAsking)
    return (
      <button
        type="button"
        ref={focused}
        class={first}
        aria-disabled={isDisabled}
        onClick={() => !isDisabled && setAsked(name)}
      >
        {name}
      </button>
    );
  return (
    <div
      class="confirm"
      role="group"
      aria-label={name}
      onKeyDown={({ key }) => key === "Escape" && setAsked(null)}
    >
      <p>{about}</p>
      <button type="button" ref={focused} onClick={() => setAsked(null)}>
        Cancel
      </button>
      <button type="button" class={tone} onClick={confirm}>
        {verb}
      </button>
    </div>
  );
}
