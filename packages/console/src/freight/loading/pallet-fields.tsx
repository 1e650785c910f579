/** The pallet that the palletised lines of a new plan are built on. */
import { Section } from "../../ui/parts.tsx";
import { Field, NumberField } from "./field.tsx";
import { PALLETS, type PalletDraft, type PalletType } from "./pallet-draft.ts";

type Measure = "length_mm" | "width_mm" | "height_mm" | "tare_kg";

const OWN: readonly (readonly [Measure, name: string, min: number, max: number, step: "1" | "any"])[] = [
  ["length_mm", "Deck length, mm", 1, 20_000, "1"],
  ["width_mm", "Deck width, mm", 1, 20_000, "1"],
  ["height_mm", "Empty height, mm", 1, 20_000, "1"],
  ["tare_kg", "Empty weight, kg", 0, 100_000, "any"],
];

type PalletFieldsProps = {
  readonly pallet: PalletDraft;
  readonly onChange: (pallet: PalletDraft) => void;
};

export function PalletFields({ pallet, onChange }: PalletFieldsProps) {
  const change = (part: Partial<PalletDraft>): void => onChange({ ...pallet, ...part });
  return (
    <Section title="Pallet" class="pallet-fields">
      <div class="filters">
        <label class="asked">
          Type
          <select
            value={pallet.type}
            onChange={({ currentTarget }) => change({ type: currentTarget.value as PalletType })}
          >
            {PALLETS.map(([type, name]) => (
              <option key={type} value={type}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {pallet.type === "own" && <OwnPallet pallet={pallet} change={change} />}
      </div>
      <div class="filters">
        <PalletLimits pallet={pallet} change={change} />
      </div>
      <p class="quiet cargo-hint">
        Palletised lines are built onto pallets of this type. Built height: with the deck. Overhang: how far
        pieces may stand out beyond each edge of the deck.
      </p>
    </Section>
  );
}

type PartProps = {
  readonly pallet: PalletDraft;
  readonly change: (part: Partial<PalletDraft>) => void;
};

function OwnPallet({ pallet, change }: PartProps) {
  return (
    <>
      <Field
        name="Name of the pallet"
        path="pallet.type"
        class="grow"
        required
        value={pallet.name}
        maxLength={40}
        onType={(name) => change({ name })}
      />
      {OWN.map(([field, name, min, max, step]) => (
        <NumberField
          key={field}
          required
          {...{ name, min, max, step }}
          class="wide"
          path={`pallet.${field}`}
          value={pallet[field]}
          onType={(typed) => change({ [field]: typed })}
        />
      ))}
    </>
  );
}

function PalletLimits({ pallet, change }: PartProps) {
  const isOwn = pallet.type === "own";
  return (
    <>
      <NumberField
        name="Most on one, kg"
        class="wide"
        path="pallet.max_load_kg"
        {...{ min: 0, max: 100_000, step: "any", required: isOwn }}
        placeholder={isOwn ? "" : "as usual"}
        value={pallet.max_load_kg}
        onType={(max_load_kg) => change({ max_load_kg })}
      />
      <NumberField
        name="Built height, mm"
        class="wide"
        path="pallet.height_mm_max"
        {...{ min: 1, max: 20_000, step: "1" }}
        placeholder="as goes in"
        value={pallet.height_mm_max}
        onType={(height_mm_max) => change({ height_mm_max })}
      />
      <NumberField
        name="Overhang, mm"
        class="wide"
        path="pallet.overhang_mm"
        {...{ min: 0, max: 500, step: "1" }}
        placeholder="0"
        value={pallet.overhang_mm}
        onType={(overhang_mm) => change({ overhang_mm })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={pallet.stackable}
          onChange={({ currentTarget }) => change({ stackable: currentTarget.checked })}
        />
        Others may stand on a built pallet
      </label>
    </>
  );
}
