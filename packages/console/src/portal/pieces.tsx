/** What several pages of the portal are made of. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { ErrorText } from "../operator/states.tsx";
import { Shown, type Data } from "../ui/data.tsx";
import { indentJson } from "../ui/indent.ts";
import { Head } from "../ui/parts.tsx";
import { Link } from "../ui/route.tsx";
import { adviceOn } from "./advice.ts";

const COPIED_MS = 2_000;

/** Says that it has copied: nothing else on the page does. */
export function Copy({ text, name = "Copy" }: { readonly text: string; readonly name?: string }) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return undefined;
    const timer = setTimeout(() => setSaid(null), COPIED_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async (): Promise<void> => {
    // In another site's frame a browser may refuse.
    const isCopied = await (navigator.clipboard?.writeText(text) ?? Promise.reject(new Error())).then(
      () => true,
      () => false,
    );
    setSaid(isCopied ? "Copied" : "Mark it and copy it yourself");
  };
  return (
    <button type="button" class="copy" onClick={() => void copy()}>
      <span aria-live="polite">{said ?? name}</span>
    </button>
  );
}

type CodeProps = { readonly label: string; readonly text: string; readonly isRaw?: boolean };

/** Text to read and to copy. */
export function Code({ label, text, isRaw = false }: CodeProps) {
  return (
    <div class="code">
      <pre class={isRaw ? "body raw" : "body"} tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <Copy text={text} />
    </div>
  );
}

export function Json({ label, of }: { readonly label: string; readonly of: object }) {
  return <Code label={label} text={indentJson(JSON.stringify(of))} />;
}

/** A failure, what it means, and what to do. */
export function Explained({ error }: { readonly error: string | null }) {
  const advice = adviceOn(error);
  return (
    <div class="explained">
      <p>
        <ErrorText of={error} />
      </p>
      {advice !== null && (
        <p>
          {advice.means} <strong>{advice.remedy}</strong>
        </p>
      )}
    </div>
  );
}

type ConfirmProps = {
  /** What asks first: "Pause…". */
  readonly name: string;
  readonly verb: string;
  /** What comes of it. */
  readonly about: string;
  readonly tone?: "primary" | "bad" | "plain";
  readonly first?: "primary" | "plain" | "";
  readonly onConfirm: () => void;
};

/** A button that asks before it acts. The focus goes to what takes its place, and back. */
export function Confirm({ name, verb, about, tone = "primary", first = "", onConfirm }: ConfirmProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [seen] = useState({ isAsking });
  const focused = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (seen.isAsking !== isAsking) focused.current?.focus();
    seen.isAsking = isAsking;
  }, [isAsking]);
  if (!isAsking)
    return (
      <button type="button" ref={focused} class={first} onClick={() => setIsAsking(true)}>
        {name}
      </button>
    );
  return (
    <div class="confirm" role="group" aria-label={name}>
      <p>{about}</p>
      <button type="button" ref={focused} onClick={() => setIsAsking(false)}>
        Cancel
      </button>
      <button
        type="button"
        class={tone}
        onClick={() => {
          setIsAsking(false);
          onConfirm();
        }}
      >
        {verb}
      </button>
    </div>
  );
}

type FoundProps<T> = {
  readonly of: Data<T>;
  /** What the page is about: "endpoint". */
  readonly name: string;
  readonly children: (value: T) => ComponentChildren;
};

/** What a page is about, or its own heading that says that there is none. */
export function Found<T>({ of, name, children }: FoundProps<T>) {
  if (of.value !== null || of.failure === null) return <Shown of={of}>{children}</Shown>;
  const { status, message } = of.failure;
  return (
    <Head title={status === 404 ? `There is no such ${name}` : "Nothing can be shown now"} about={message} />
  );
}

type TrailProps = { readonly of: readonly (readonly [name: ComponentChildren, to: string])[] };

export function Trail({ of }: TrailProps) {
  return (
    <nav class="trail" aria-label="Where this page stands">
      {of.map(([name, to]) => (
        <Link key={to} to={to}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
