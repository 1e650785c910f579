/** Fields of the form, and below each what the service refuses in it. */
import { createContext } from "preact";
import { useContext, useEffect, useRef } from "preact/hooks";

import type { Refusal } from "./draft.ts";

/** Of the request that was sent last; null: none, or the reader has changed something since. */
export const Refused = createContext<Refusal | null>(null);

type Numeric = { readonly min: number; readonly max: number; readonly step: "1" | "any" };

type FieldProps = Partial<Numeric> & {
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

export function Field({ name, path, onType, class: kind = "measure", ...input }: FieldProps) {
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
          {...(input.step === undefined ? {} : { type: "number" as const, inputMode: "decimal" as const })}
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

/** A number that is asked. `step`: "any" also takes parts of one. `empty`: it may be, and means this. */
export type Asked<Key extends string> = readonly [
  key: Key,
  name: string,
  min: number,
  max: number,
  step: Numeric["step"],
  empty?: string,
];

type NumberFieldsProps<Key extends string> = {
  readonly of: readonly Asked<Key>[];
  readonly values: Readonly<Partial<Record<Key, string>>>;
  readonly path: (key: Key, at: number) => string;
  readonly set: (typed: Readonly<Record<Key, string>>) => void;
  readonly class?: "wide" | "measure";
};

export function NumberFields<Key extends string>(props: NumberFieldsProps<Key>) {
  const { of, values, path, set, class: kind = "measure" } = props;
  return of.map(([key, name, min, max, step, empty], at) => (
    <Field
      key={key}
      {...{ name, min, max, step }}
      path={path(key, at)}
      class={kind}
      {...(empty === undefined ? { required: true } : { placeholder: empty })}
      value={values[key] ?? ""}
      onType={(typed) => set({ [key]: typed } as Record<Key, string>)}
    />
  ));
}
