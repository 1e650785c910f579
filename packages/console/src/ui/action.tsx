/** What a reader does on a page that changes something. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import type { Answered } from "./api.ts";

/**
 * Sends a request, one at a time, and keeps why the last one was refused. `before`: what is wrong already. What follows is not
 * done for a reader who has left: it would take them from where they are.
 */
export function useAction(before: string | null = null) {
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState(before);
  const at = useRef({ isSending: false, isLeft: false }).current;
  useEffect(() => () => void (at.isLeft = true), []);
  const run = async <T,>(
    ask: () => Promise<Answered<T>>,
    done: (value: T) => void = () => undefined,
  ): Promise<void> => {
    if (at.isSending) return;
    setIsSending((at.isSending = true));
    const given = await ask();
    setIsSending((at.isSending = false));
    setFailure(given.ok ? null : given.failure.message);
    if (given.ok && !at.isLeft) done(given.value);
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

/** A button that asks before it acts. The focus goes to what takes its place, and back. */
export function Confirm(props: ConfirmProps) {
  const { name, verb, about, tone = "primary", first = "", isDisabled = false, onConfirm } = props;
  const [isAsking, setIsAsking] = useState(false);
  const [seen] = useState({ isAsking });
  const focused = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (seen.isAsking !== isAsking) focused.current?.focus();
    seen.isAsking = isAsking;
  }, [isAsking]);
  const confirm = (): void => {
    setIsAsking(false);
    onConfirm();
  };
  if (!isAsking)
    return (
      <button
        type="button"
        ref={focused}
        class={first}
        disabled={isDisabled}
        onClick={() => setIsAsking(true)}
      >
        {name}
      </button>
    );
  return (
    <div
      class="confirm"
      role="group"
      aria-label={name}
      onKeyDown={({ key }) => key === "Escape" && setIsAsking(false)}
    >
      <p>{about}</p>
      <button type="button" ref={focused} onClick={() => setIsAsking(false)}>
        Cancel
      </button>
      <button type="button" class={tone} onClick={confirm}>
        {verb}
      </button>
    </div>
  );
}
