import { useState } from "preact/hooks";

import { indentJson } from "../ui/indent.ts";

/** JSON, indented to read, or byte for byte. */
export function BodyText({ of, label }: { readonly of: string; readonly label: string }) {
  const [isRaw, setIsRaw] = useState(false);
  const shown = isRaw ? of : indentJson(of);
  return (
    <>
      <div class="bar">
        <label class="check">
          <input type="checkbox" checked={isRaw} onChange={() => setIsRaw(!isRaw)} /> byte for byte
        </label>
        <span class="quiet">{new TextEncoder().encode(of).length.toLocaleString()} bytes</span>
        <button type="button" onClick={() => void navigator.clipboard?.writeText(of)}>
          Copy
        </button>
      </div>
      <pre class={isRaw ? "body raw" : "body"} tabIndex={0} aria-label={label}>
        {shown}
      </pre>
    </>
  );
}
