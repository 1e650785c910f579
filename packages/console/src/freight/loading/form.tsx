/** A client makes a plan. */
import { useMemo, useState } from "preact/hooks";

import { useAction } from "../../ui/action.tsx";
import { createDraft } from "../../ui/drafts.ts";
import { Check } from "../../ui/fields.tsx";
import { Head, Note, Section } from "../../ui/parts.tsx";
import { go, Link } from "../../ui/route.tsx";
import { useClient, useProductPlace } from "../place.tsx";
import type { Loading } from "./answers.ts";
import { CargoLines, PalletFields } from "./cargo-lines.tsx";
import {
  bodyOf,
  chosenTypes,
  CLOSED_TYPES,
  type Draft,
  emptyDraft,
  hasOpenSides,
  isPalletised,
  OPEN_TYPES,
  type Over,
  overOf,
  refusalOf,
  type Type,
} from "./draft.ts";
import { type Asked, Field, NumberFields, Refused } from "./field.tsx";
import { Fold } from "./fold.tsx";
import { VehicleFields } from "./vehicle-fields.tsx";

/** The service plans for up to forty seconds. */
const PLANNING_MS_MAX = 60_000;

const kept = createDraft<Draft>(emptyDraft);

export function NewPlan() {
  const { pages } = useProductPlace();
  const { ask } = useClient<Loading>();
  const [draft, setDraft] = useState(kept.now);
  const { isSending, failure, run, refuse } = useAction();
  // Each refusal leads to its field, also the same one again.
  const refusal = useMemo(() => (failure === null ? null : refusalOf(failure)), [failure]);
  const change = (part: Partial<Draft>): void => {
    setDraft((kept.now = { ...draft, ...part }));
    refuse(null);
  };
  const send = (event: Event): void => {
    event.preventDefault();
    refuse(null);
    void run(
      async () => {
        const answer = await ask("POST /v1/plans", {}, bodyOf(draft), PLANNING_MS_MAX);
        if (answer.ok) kept.now = emptyDraft();
        return answer;
      },
      ({ data }) => go(`${pages}/${data.id}`),
    );
  };
  const hasTypes = draft.types.length > 0;
  const said = hasTypes ? (isSending ? "This takes some seconds." : "") : "Choose a type of container.";
  return (
    <Refused.Provider value={refusal}>
      <form class="plan-form" onSubmit={send}>
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
          <button type="submit" class="primary" disabled={isSending || !hasTypes}>
            {isSending ? "Planning…" : "Make the plan"}
          </button>
          <button type="button" class="plain" disabled={isSending} onClick={() => change(emptyDraft())}>
            Empty the form
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
  ["length", "Off the middle along, %", 0, 50, "any", "5"],
  ["width", "Off the middle across, %", 0, 50, "any", "5"],
] as const;

const usualOf = (type: Type): string => (hasOpenSides(type) ? "no limit" : "as usual");

type WeightLimitsProps = { readonly draft: Draft; readonly onChange: (part: Partial<Draft>) => void };

function WeightLimits({ draft, onChange }: WeightLimitsProps) {
  const { isCentred, offCentre, lineLoads } = draft;
  const chosen = chosenTypes(draft);
  return (
    <Section title="Weight">
      <Check of={isCentred} set={(isOn) => onChange({ isCentred: isOn })}>
        Keep the cargo's centre of gravity near the middle
      </Check>
      {isCentred && (
        <div class="filters">
          <NumberFields
            of={OFF_CENTRE}
            values={offCentre}
            path={(axis) => `max_off_centre.${axis}`}
            set={(typed) => onChange({ offCentre: { ...offCentre, ...typed } })}
            class="wide"
          />
        </div>
      )}
      {chosen.length > 0 && (
        <fieldset class="line-loads">
          <legend class="quiet">The most on any metre, in kg; empty: as is usual for the type</legend>
          <div class="filters">
            <NumberFields
              of={chosen.map((type) => [type, type, 0, 100_000, "any", usualOf(type)])}
              values={lineLoads}
              path={(_, at) => `containers[${at}].max_line_load_kg_m`}
              set={(typed) => onChange({ lineLoads: { ...lineLoads, ...typed } })}
            />
          </div>
        </fieldset>
      )}
      <VehicleFields vehicle={draft.vehicle} onChange={(vehicle) => onChange({ vehicle })} />
    </Section>
  );
}

type TypeChoiceProps = { readonly draft: Draft; readonly onChange: (part: Partial<Draft>) => void };

function TypeChoice({ draft, onChange }: TypeChoiceProps) {
  return (
    <>
      <fieldset class="types">
        <legend class="quiet">Containers that may be used, as many as are needed</legend>
        <TypeChecks of={CLOSED_TYPES} draft={draft} onChange={onChange} />
      </fieldset>
      <OpenTypes draft={draft} onChange={onChange} />
    </>
  );
}

function TypeChecks({ of, draft: { types }, onChange }: TypeChoiceProps & { readonly of: readonly Type[] }) {
  return of.map((type) => (
    <Check
      key={type}
      of={types.includes(type)}
      set={(isOn) => onChange({ types: isOn ? [...types, type] : types.filter((one) => one !== type) })}
    >
      {type}
    </Check>
  ));
}

const OVERS = [
  ["height", "above, mm"],
  ["width", "each side, mm"],
] as const;

/** Of an open type: what its cargo may stand out of. */
function oversOf(type: Type): readonly Asked<keyof Over>[] {
  const own = OVERS.filter(([axis]) => axis === "height" || hasOpenSides(type));
  return own.map(([axis, name]) => [axis, `${type} ${name}`, 0, 20_000, "1", "no limit"]);
}

function OpenTypes({ draft, onChange }: TypeChoiceProps) {
  const isOpen = (type: Type): boolean => OPEN_TYPES.some((one) => one === type);
  const chosen = chosenTypes(draft);
  const change = (type: Type, part: Partial<Over>): void =>
    onChange({ overs: { ...draft.overs, [type]: { ...overOf(draft, type), ...part } } });
  return (
    <Fold
      title="Open tops, flat racks and platforms:"
      chosen={chosen.filter(isOpen).join(", ") || "none"}
      fields={/_over_/}
    >
      <p class="quiet">
        OT has no roof; FR and PL have no roof and no sides. Cargo that is too high or too wide stands out
        there.
      </p>
      <fieldset class="types">
        <legend class="hidden">Open units that may be used</legend>
        <TypeChecks of={OPEN_TYPES} draft={draft} onChange={onChange} />
      </fieldset>
      {chosen.some(isOpen) && (
        <fieldset class="line-loads">
          <legend class="quiet">The most that cargo may stand out, in mm; empty: no limit</legend>
          <div class="filters">
            {chosen.map(
              (type, at) =>
                isOpen(type) && (
                  <NumberFields
                    key={type}
                    of={oversOf(type)}
                    values={overOf(draft, type)}
                    path={(axis) => `containers[${at}].max_over_${axis}_mm`}
                    set={(typed) => change(type, typed)}
                    class="wide"
                  />
                ),
            )}
          </div>
        </fieldset>
      )}
    </Fold>
  );
}
