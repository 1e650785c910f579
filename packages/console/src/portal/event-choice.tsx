import type { EventType } from "./answers.ts";

type Props = {
  readonly types: readonly EventType[];
  /** Empty: every type. */
  readonly chosen: readonly string[];
  readonly isAll: boolean;
  readonly onChange: (isAll: boolean, chosen: readonly string[]) => void;
};

/** Which events an endpoint gets. */
export function EventChoice({ types, chosen, isAll, onChange }: Props) {
  const toggle = (name: string): void =>
    onChange(false, chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]);
  return (
    <fieldset class="field">
      <legend>Events</legend>
      <label class="check">
        <input type="radio" name="events" checked={isAll} onChange={() => onChange(true, chosen)} />
        All, also those that are added later
      </label>
      <label class="check">
        <input type="radio" name="events" checked={!isAll} onChange={() => onChange(false, chosen)} />
        These
      </label>
      {!isAll && (
        <ul class="choices">
          {types
            .filter(({ subscribable }) => subscribable)
            .map(({ name, description }) => (
              <li key={name}>
                <label class="check">
                  <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
                  <span>
                    <code>{name}</code> <span class="quiet">{description}</span>
                  </span>
                </label>
              </li>
            ))}
        </ul>
      )}
    </fieldset>
  );
}
