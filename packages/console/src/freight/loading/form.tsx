/** A client makes a plan. */
import { useState } from "preact/hooks";

import { Head, Note, Section } from "../../ui/parts.tsx";
import { go, Link } from "../../ui/route.tsx";
import { useClient, useProductPlace } from "../place.tsx";
import type { Loading } from "./answers.ts";
import { CargoLines } from "./cargo-lines.tsx";
import {
  bodyOf,
  chosenTypes,
  emptyDraft,
  hasOpenSides,
  isPalletised,
  refusalOf,
  type Draft,
  type Refusal,
} from "./draft.ts";
import { Field, NumberField, Refused } from "./field.tsx";
import { PalletFields } from "./pallet-fields.tsx";
import { TypeChoice } from "./type-choice.tsx";
import { VehicleFields } from "./vehicle-fields.tsx";

/** The service plans for up to forty seconds. */
const PLANNING_MS_MAX = 60_000;

export function NewPlan() {
  const { pages } = useProductPlace();
  const { ask } = useClient<Loading>();
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const [isSent, setSent] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const change = (part: Partial<Draft>): void => {
    setDraft({ ...draft, ...part });
    setRefusal(null);
  };
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    setSent(true);
    setRefusal(null);
    const answer = await ask("POST /v1/plans", {}, bodyOf(draft), PLANNING_MS_MAX);
    if (answer.ok) return go(`${pages}/${answer.value.data.id}`);
    setRefusal(refusalOf(answer.failure.message));
    setSent(false);
  };
  const hasTypes = draft.types.length > 0;
  const said = hasTypes ? (isSent ? "This takes some seconds." : "") : "Choose a type of container.";
  return (
    <Refused.Provider value={refusal}>
      <form class="plan-form" onSubmit={(event) => void send(event)}>
        <Head title="New plan" about={<Link to={pages}>To the plans</Link>} />
        <Section title="Plan">
          <div class="filters">
            <Field
              name="Name (optional)"
              path="name"
              class="grow"
              value={draft.name}
              maxLength={200}
              onType={(name) => change({ name })}
            />
          </div>
          <TypeChoice draft={draft} onChange={change} />
        </Section>
        <WeightLimits draft={draft} onChange={change} />
        <CargoLines lines={draft.lines} onChange={(lines) => change({ lines })} />
        {isPalletised(draft) && (
          <PalletFields pallet={draft.pallet} onChange={(pallet) => change({ pallet })} />
        )}
        {refusal?.field === null && <Note kind="bad">{refusal.message}</Note>}
        <div class="form-foot">
          <button type="submit" class="primary" disabled={isSent || !hasTypes}>
            {isSent ? "Planning…" : "Make the plan"}
          </button>
          <span class="quiet" role="status">
            {said}
          </span>
        </div>
      </form>
    </Refused.Provider>
  );
}

const OFF_CENTRE = [
  ["length", "Off the middle along, %"],
  ["width", "Off the middle across, %"],
] as const;

type WeightLimitsProps = { readonly draft: Draft; readonly onChange: (part: Partial<Draft>) => void };

function WeightLimits({ draft, onChange }: WeightLimitsProps) {
  const { isCentred, offCentre, lineLoads } = draft;
  const chosen = chosenTypes(draft);
  return (
    <Section title="Weight">
      <label class="check">
        <input
          type="checkbox"
          checked={isCentred}
          onChange={({ currentTarget }) => onChange({ isCentred: currentTarget.checked })}
        />
        Keep the cargo's centre of gravity near the middle
      </label>
      {isCentred && (
        <div class="filters">
          {OFF_CENTRE.map(([axis, name]) => (
            <NumberField
              key={axis}
              name={name}
              class="wide"
              path={`max_off_centre.${axis}`}
              min={0}
              max={50}
              step="any"
              placeholder="5"
              value={offCentre[axis]}
              onType={(typed) => onChange({ offCentre: { ...offCentre, [axis]: typed } })}
            />
          ))}
        </div>
      )}
      {chosen.length > 0 && (
        <fieldset class="line-loads">
          <legend class="quiet">The most on any metre, in kg; empty: as is usual for the type</legend>
          <div class="filters">
            {chosen.map((type, at) => (
              <NumberField
                key={type}
                name={type}
                path={`containers[${at}].max_line_load_kg_m`}
                min={0}
                max={100_000}
                step="any"
                placeholder={hasOpenSides(type) ? "no limit" : "as usual"}
                value={lineLoads[type] ?? ""}
                onType={(typed) => onChange({ lineLoads: { ...lineLoads, [type]: typed } })}
              />
            ))}
          </div>
        </fieldset>
      )}
      <VehicleFields vehicle={draft.vehicle} onChange={(vehicle) => onChange({ vehicle })} />
    </Section>
  );
}
