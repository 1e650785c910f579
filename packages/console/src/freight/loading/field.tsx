/** A field of the form, and below it what the service refuses in it. */
import { createContext } from "preact";
import { useContext, useEffect, useRef } from "preact/hooks";

import type { Refusal } from "./draft.ts";

/** Of the request that was sent last; null: none, or the reader has changed something since. */
export const Refused = createContext<Refusal | null>(null);

type FieldProps = {
  readonly name: string;
  /** As the service names it: `cargo[1].id`. */
  readonly path: string;
  readonly value: string;
  readonly onType: (value: string) => void;
  readonly class?: "grow" | "measure" | "wide";
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly required?: boolean;
};

export function Field(props: FieldProps) {
  return <Asked {...props} />;
}

type NumberFieldProps = FieldProps & {
  readonly min: number;
  readonly max: number;
  /** `any`: also parts of one. */
  readonly step: "1" | "any";
};

export function NumberField(props: NumberFieldProps) {
  return <Asked type="number" inputMode="decimal" {...props} />;
}

type AskedProps = FieldProps &
  Partial<NumberFieldProps> & { readonly type?: "number"; readonly inputMode?: "decimal" };

function Asked({ name, path, onType, class: kind = "measure", ...input }: AskedProps) {
  const refusal = useContext(Refused);
  const box = useRef<HTMLInputElement>(null);
  const isRefused = refusal?.field === path;
  useEffect(() => {
    if (isRefused) box.current?.focus();
  }, [isRefused, refusal]);
  const id = `refused-${path.replaceAll(/\W+/g, "-")}`;
  return (
    <div class={`asked ${kind}`}>
      <label>
        {name}
        <input
          {...input}
          ref={box}
          {...(isRefused ? { "aria-invalid": true, "aria-describedby": id } : {})}
          onInput={({ currentTarget }) => onType(currentTarget.value)}
        />
      </label>
      {isRefused && (
        <p class="refused" id={id} role="alert">
          {refusal.message}
        </p>
      )}
    </div>
  );
}
