import { percent } from "./words.ts";

/** A part of a whole, 0 to 1. */
export function Meter({ of }: { readonly of: number }) {
  return (
    <span class="meter">
      <span class="meter-bar" aria-hidden="true">
        <span style={{ width: `${Math.min(100, of * 100).toFixed(1)}%` }} />
      </span>
      {percent(of)}
    </span>
  );
}
