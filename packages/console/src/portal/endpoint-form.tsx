import { useState } from "preact/hooks";

import { FailureNote } from "../ui/data.tsx";
import { Check } from "../ui/fields.tsx";
import { Note } from "../ui/parts.tsx";
import { useEventTypes, type EventType } from "./answers.ts";

export type Filled = {
  readonly url: string;
  readonly description: string;
  /** Empty: every type. */
  readonly event_types: readonly string[];
};

type Props = {
  readonly of: Filled;
  readonly action: string;
  /** What the service says against it. */
  readonly send: (filled: Filled) => Promise<string | null>;
  readonly onCancel: () => void;
};

/** Registers or changes an endpoint. */
export function EndpointForm({ of, action, send, onCancel }: Props) {
  const types = useEventTypes();
  const [filled, setFilled] = useState(of);
  const [isAll, setIsAll] = useState(of.event_types.length === 0);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const change = (part: Partial<Filled>): void => setFilled({ ...filled, ...part });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!isAll && filled.event_types.length === 0)
      return setFailure("Choose one event or more, or all of them.");
    setIsSending(true);
    const problem = await send({ ...filled, event_types: isAll ? [] : filled.event_types });
    setIsSending(false);
    setFailure(problem);
  };
  return (
    <form class="fields" onSubmit={(event) => void submit(event)}>
      {failure !== null && <Note kind="bad">{failure}</Note>}
      <label class="field">
        URL
        <input
          type="url"
          required
          autocomplete="off"
          spellcheck={false}
          placeholder="https://you.example.com/webhooks"
          value={filled.url}
          onInput={({ currentTarget }) => change({ url: currentTarget.value.trim() })}
        />
      </label>
      <label class="field">
        Label
        <input
          maxLength={1_000}
          autocomplete="off"
          placeholder="for you alone, such as production"
          value={filled.description}
          onInput={({ currentTarget }) => change({ description: currentTarget.value })}
        />
      </label>
      {types.failure !== null && <FailureNote of={types.failure} />}
      <EventChoice
        types={types.value?.data ?? []}
        chosen={filled.event_types}
        isAll={isAll}
        onChange={(all, chosen) => {
          setIsAll(all);
          change({ event_types: chosen });
        }}
      />
      <div class="bar">
        <button type="submit" class="primary" disabled={isSending}>
          {action}
        </button>
        {/* Who leaves now would never see the secret of a new endpoint. */}
        <button type="button" class="plain" disabled={isSending} onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

type EventChoiceProps = {
  readonly types: readonly EventType[];
  /** Empty: every type. */
  readonly chosen: readonly string[];
  readonly isAll: boolean;
  readonly onChange: (isAll: boolean, chosen: readonly string[]) => void;
};

/** Which events an endpoint gets. */
function EventChoice({ types, chosen, isAll, onChange }: EventChoiceProps) {
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
                <Check of={chosen.includes(name)} set={() => toggle(name)}>
                  <span>
                    <code>{name}</code> <span class="quiet">{description}</span>
                  </span>
                </Check>
              </li>
            ))}
        </ul>
      )}
    </fieldset>
  );
}
