/** Which containers a new plan may use. */
import {
  CLOSED_TYPES,
  chosenTypes,
  hasOpenSides,
  OPEN_TYPES,
  overOf,
  type Draft,
  type Over,
  type Type,
} from "./draft.ts";
import { NumberField } from "./field.tsx";
import { Fold } from "./fold.tsx";

type TypeChoiceProps = { readonly draft: Draft; readonly onChange: (part: Partial<Draft>) => void };

export function TypeChoice({ draft, onChange }: TypeChoiceProps) {
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
    <label key={type} class="check">
      <input
        type="checkbox"
        checked={types.includes(type)}
        onChange={({ currentTarget }) =>
          onChange({
            types: currentTarget.checked ? [...types, type] : types.filter((one) => one !== type),
          })
        }
      />
      {type}
    </label>
  ));
}

const OVERS = [
  ["height", "max_over_height_mm", "above, mm"],
  ["width", "max_over_width_mm", "each side, mm"],
] as const;

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
            {chosen.flatMap((type, at) =>
              OVERS.filter(([axis]) => isOpen(type) && (axis === "height" || hasOpenSides(type))).map(
                ([axis, field, name]) => (
                  <NumberField
                    key={`${type} ${axis}`}
                    name={`${type} ${name}`}
                    class="wide"
                    path={`containers[${at}].${field}`}
                    min={0}
                    max={20_000}
                    step="1"
                    placeholder="no limit"
                    value={overOf(draft, type)[axis]}
                    onType={(typed) => change(type, { [axis]: typed })}
                  />
                ),
              ),
            )}
          </div>
        </fieldset>
      )}
    </Fold>
  );
}
