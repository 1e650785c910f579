/** Fields of a search. */
import { go } from "../ui/route.tsx";

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Opens what has the id as soon as it is whole. */
export function IdField({ name, to }: { readonly name: string; readonly to: string }) {
  return (
    <label class="grow">
      {name}
      <input
        placeholder="id: opens it"
        spellcheck={false}
        onInput={({ currentTarget }) => {
          const id = currentTarget.value.trim();
          if (ID.test(id)) go(`${to}/${id}`);
        }}
      />
    </label>
  );
}

type TextFieldProps = {
  readonly name: string;
  readonly of: string;
  readonly hint: string;
  readonly set: (value: string) => void;
};

export function TextField({ name, of, hint, set }: TextFieldProps) {
  return (
    <label class="grow">
      {name}
      <input
        value={of}
        placeholder={hint}
        spellcheck={false}
        onChange={({ currentTarget }) => set(currentTarget.value.trim())}
      />
    </label>
  );
}
