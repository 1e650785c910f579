/** A field for a code of the trade, with those that are known to choose from. */
import { useId } from "preact/hooks";

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
        <input
          key={value}
          defaultValue={value}
          placeholder={placeholder}
          spellcheck={false}
          autocomplete="off"
          {...listed}
          onChange={({ currentTarget }) => onCode(codeOf(currentTarget.value))}
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
