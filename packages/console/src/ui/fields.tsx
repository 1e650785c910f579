/** Fields of forms and of searches, whose values the address of the page has. */
import type { ComponentChildren, InputHTMLAttributes, RefObject } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

import { changeQuery, usePlace } from "./route.tsx";

/** What the address chooses of a list, by the names of its filters; `changeQuery` changes it. */
export function useFilter<Name extends string>(...names: readonly Name[]) {
  const { query } = usePlace();
  const chosen = names.map((name) => [name, query.get(name) ?? ""] as const);
  const filter = Object.fromEntries(chosen) as Readonly<Record<Name, string>>;
  return { filter, isFiltered: chosen.some(([, value]) => value !== "") };
}

type SearchProps = { readonly label: string; readonly children: ComponentChildren };

export function Search({ label, children }: SearchProps) {
  return (
    <form class="filters" role="search" aria-label={label} onSubmit={(event) => event.preventDefault()}>
      {children}
    </form>
  );
}

export type Option<Value extends string = string> = readonly [value: Value, name: string];

type ChoiceProps<Value extends string> = {
  readonly name: string;
  readonly of: Value;
  readonly options: readonly Option<Value>[];
  readonly set: (value: Value) => void;
  readonly class?: string;
};

/** One of several. */
export function Choice<Value extends string>({ name, of, options, set, ...others }: ChoiceProps<Value>) {
  return (
    <label {...others}>
      {name}
      <select value={of} onChange={({ currentTarget }) => set(currentTarget.value as Value)}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** One of a few, which all stand there. `name`: of the inputs. */
export function Switch<Value extends string>({ legend, name, of, options, set }: SwitchProps<Value>) {
  return (
    <fieldset class="switch">
      <legend class="hidden">{legend}</legend>
      {options.map(([value, text]) => (
        <label key={value}>
          <input type="radio" name={name} checked={of === value} onChange={() => set(value)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

type SwitchProps<Value extends string> = ChoiceProps<Value> & { readonly legend: string };

type CheckProps = {
  readonly of: boolean;
  readonly set: (isOn: boolean) => void;
  readonly children: ComponentChildren;
};

export function Check({ of, set, children }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={of} onChange={({ currentTarget }) => set(currentTarget.checked)} />
      {children}
    </label>
  );
}

/**
 * The input of `of`. A page is shown again whenever something comes, and Preact then writes a `value` over what the reader is
 * typing; this one is written only when `of` changes.
 */
export function useTyped(of: string): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (input.current!.value !== of) input.current!.value = of;
  }, [of]);
  return input;
}

type TypedProps = InputHTMLAttributes & {
  readonly of: string;
  /** What the reader has typed, as it is taken. */
  readonly read?: (typed: string) => string;
  readonly set: (value: string) => void;
};

function Typed({ of, read = String, set, ...others }: TypedProps) {
  const box = useTyped(of);
  return (
    <input
      ref={box}
      {...others}
      onChange={({ currentTarget: input }) => {
        const value = read(input.value);
        if (input.value !== value) input.value = value;
        set(value);
      }}
    />
  );
}

const trimmed = (typed: string): string => typed.trim();

type TextFieldProps = {
  readonly name: string;
  readonly of: string;
  readonly hint: string;
  /** Once the reader has typed it. */
  readonly set: (value: string) => void;
  readonly class?: "grow" | "";
};

export function TextField({ name, of, hint, set, class: kind = "grow" }: TextFieldProps) {
  return (
    <label class={kind}>
      {name}
      <Typed of={of} placeholder={hint} spellcheck={false} read={trimmed} set={set} />
    </label>
  );
}

/** Of what was raised for a shipment, a lane, a sailing or a plan. */
export function ReferenceField({ of }: { readonly of: string }) {
  return (
    <TextField
      name="Reference"
      of={of}
      hint="container, bill, AWB, vessel, lane"
      set={(reference) => changeQuery({ reference })}
    />
  );
}

type DateFieldProps = {
  readonly name: string;
  readonly of: string;
  readonly type?: "date" | "datetime-local";
  readonly set: (value: string) => void;
};

export function DateField({ name, of, type = "date", set }: DateFieldProps) {
  return (
    <label>
      {name}
      <Typed type={type} of={of} set={set} />
    </label>
  );
}

/** From and until, as fields of the reader's zone; the address has UTC. */
export function TimeFilter({ of }: { readonly of: Readonly<Record<"since" | "until", string>> }) {
  return (["since", "until"] as const).map((name) => (
    <DateField
      key={name}
      name={name === "since" ? "From" : "Until"}
      type="datetime-local"
      of={localOf(of[name])}
      set={(local) => changeQuery({ [name]: utcOf(local) })}
    />
  ));
}

function utcOf(local: string): string {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? "" : time.toISOString();
}

/** `2026-01-31T08:00`; nothing where the address holds no time. */
function localOf(utc: string): string {
  const time = new Date(utc);
  if (Number.isNaN(time.getTime())) return "";
  const two = (part: number): string => String(part).padStart(2, "0");
  // A year of four figures is typed one by one.
  const year = String(time.getFullYear()).padStart(4, "0");
  const day = `${year}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

type CodeFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly codes?: readonly { readonly code: string; readonly name: string }[];
  readonly isNarrow?: boolean;
  readonly onCode: (code: string) => void;
};

/** A code in capitals and without spaces; of what is chosen by its name, the code. */
export function CodeField({
  label,
  value,
  placeholder,
  codes = [],
  isNarrow = false,
  onCode,
}: CodeFieldProps) {
  const id = useId();
  const codeOf = (typed: string): string => {
    const text = typed.trim();
    const named = codes.filter(({ name }) => name.toLowerCase() === text.toLowerCase());
    return named.length === 1 ? named[0]!.code : text.toUpperCase();
  };
  // Its type allows a list with no `type` only of inputs that are not text.
  const listed: object = codes.length > 0 ? { list: id } : {};
  return (
    <>
      <label class={isNarrow ? "" : "grow"}>
        {label}
        <Typed
          of={value}
          placeholder={placeholder}
          spellcheck={false}
          autocomplete="off"
          {...listed}
          read={codeOf}
          set={onCode}
        />
      </label>
      {codes.length > 0 && (
        <datalist id={id}>
          {codes.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}
