/** Text to read and to copy. */
import { useEffect, useState } from "preact/hooks";

import { Check } from "../ui/fields.tsx";
import { indentJson } from "../ui/indent.ts";
import { count } from "../ui/numbers.ts";

const COPIED_MS = 2_000;

/** Says that it has copied: nothing else on the page does. */
export function Copy({ text }: { readonly text: string }) {
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
      <span aria-live="polite">{said ?? "Copy"}</span>
    </button>
  );
}

type CodeProps = {
  readonly label: string;
  readonly text: string;
  readonly isRaw?: boolean;
  /** What is copied, where that is not the text. */
  readonly copied?: string;
};

export function Code({ label, text, isRaw = false, copied = text }: CodeProps) {
  return (
    <div class="code">
      <pre class={isRaw ? "body raw" : "body"} tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <Copy text={copied} />
    </div>
  );
}

export function Json({ label, of }: { readonly label: string; readonly of: object }) {
  return <Code label={label} text={indentJson(JSON.stringify(of))} />;
}

/** JSON, indented to read, or byte for byte; that is how it is copied. */
export function BodyText({ of, label }: { readonly of: string; readonly label: string }) {
  const [isRaw, setIsRaw] = useState(false);
  return (
    <>
      <div class="bar">
        <Check of={isRaw} set={setIsRaw}>
          byte for byte
        </Check>
        <span class="quiet">{count(new TextEncoder().encode(of).length)} bytes</span>
      </div>
      <Code label={label} text={isRaw ? of : indentJson(of)} isRaw={isRaw} copied={of} />
    </>
  );
}
