/** The lines of cargo of a new plan, and the pallet that palletised ones are built on. */
import { Check, Choice } from "../../ui/fields.tsx";
import { Section } from "../../ui/parts.tsx";
import { emptyLine, type Line, type Shape, type PalletDraft, PALLETS } from "./draft.ts";
import { type Asked, Field, NumberFields } from "./field.tsx";

/** Of the form; the route takes more. */
const LINES_MAX = 50;

type Measure = "diameter_mm" | "length_mm" | "width_mm" | "height_mm" | "weight_kg" | "count";

/** What differs by shape; the rest is asked of both. */
const ACROSS: Readonly<Record<Shape, readonly Asked<Measure>[]>> = {
  box: [
    ["length_mm", "Length, mm", 1, 20_000, "1"],
    ["width_mm", "Width, mm", 1, 20_000, "1"],
  ],
  cylinder: [["diameter_mm", "Diameter, mm", 1, 20_000, "1"]],
};

const MEASURES: readonly Asked<Measure>[] = [
  ["height_mm", "Height, mm", 1, 20_000, "1"],
  ["weight_kg", "Weight, kg", 0, 100_000, "any"],
  ["count", "Pieces", 1, 20_000, "1"],
];

const LIMITS = [
  ["max_load_kg", "Bears, kg", 0, 100_000, "any", "anything"],
  ["layers_max", "Layers", 1, 100, "1", "any"],
  ["stop", "Stop", 1, 100, "1", "1"],
] as const;

type CargoLinesProps = {
  readonly lines: readonly Line[];
  readonly onChange: (lines: readonly Line[]) => void;
};

export function CargoLines({ lines, onChange }: CargoLinesProps) {
  const change = (key: number, part: Partial<Line>): void =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...part } : line)));
  const add = (): void => onChange([...lines, emptyLine(Math.max(...lines.map(({ key }) => key)) + 1)]);
  return (
    <Section title="Cargo">
      {lines.map((line, at) => (
        <LineFields
          key={line.key}
          line={line}
          at={at}
          onChange={(part) => change(line.key, part)}
          {...(lines.length > 1
            ? { onRemove: () => onChange(lines.filter(({ key }) => key !== line.key)) }
            : {})}
        />
      ))}
      <p class="quiet cargo-hint">
        Bears: the weight of all that may lie on one piece. Layers: from one piece up, itself included. Stop:
        where it is unloaded, 1 first. Palletised: built onto a pallet, which is then loaded.
      </p>
      <button type="button" disabled={lines.length >= LINES_MAX} onClick={add}>
        Add a line
      </button>
    </Section>
  );
}

type LineFieldsProps = {
  readonly line: Line;
  /** Its place in the request. */
  readonly at: number;
  readonly onChange: (part: Partial<Line>) => void;
  readonly onRemove?: () => void;
};

function LineFields({ line, at, onChange, onRemove }: LineFieldsProps) {
  const number = at + 1;
  const path = (key: string): string => `cargo[${at}].${key}`;
  return (
    <fieldset class="cargo-line">
      <legend>Line {number}</legend>
      <div class="filters">
        <Field
          name="Name"
          path={path("id")}
          class="grow"
          value={line.id}
          maxLength={100}
          placeholder={String(number)}
          onType={(id) => onChange({ id })}
        />
        <Choice
          name="Shape"
          class="asked"
          of={line.shape}
          options={SHAPES}
          set={(shape) => onChange({ shape })}
        />
        <NumberFields of={[...ACROSS[line.shape], ...MEASURES]} values={line} path={path} set={onChange} />
      </div>
      <div class="filters">
        <NumberFields of={LIMITS} values={line} path={path} set={onChange} />
        <LineChecks line={line} onChange={onChange} />
        {onRemove !== undefined && (
          <button type="button" class="plain" aria-label={`Remove line ${number}`} onClick={onRemove}>
            Remove
          </button>
        )}
      </div>
    </fieldset>
  );
}

const SHAPES = [
  ["box", "Box"],
  ["cylinder", "Cylinder"],
] as const;

function LineChecks({ line, onChange }: Pick<LineFieldsProps, "line" | "onChange">) {
  const isBox = line.shape === "box";
  return (
    <>
      <Check of={line.stackable} set={(stackable) => onChange({ stackable })}>
        {isBox ? "Others may lie on it" : "Others of the line may stand on it"}
      </Check>
      <Check of={line.mayTip} set={(mayTip) => onChange({ mayTip })}>
        {isBox ? "May lie on any side" : "May lie, with wedges against rolling"}
      </Check>
      <Check of={line.palletised} set={(palletised) => onChange({ palletised })}>
        Palletised
      </Check>
    </>
  );
}

const OWN = [
  ["length_mm", "Deck length, mm", 1, 20_000, "1"],
  ["width_mm", "Deck width, mm", 1, 20_000, "1"],
  ["height_mm", "Empty height, mm", 1, 20_000, "1"],
  ["tare_kg", "Empty weight, kg", 0, 100_000, "any"],
] as const;

const MOST = ["max_load_kg", "Most on one, kg", 0, 100_000, "any"] as const;
const PALLET_LIMITS = [
  ["height_mm_max", "Built height, mm", 1, 20_000, "1", "as goes in"],
  ["overhang_mm", "Overhang, mm", 0, 500, "1", "0"],
] as const;

type PalletFieldsProps = {
  readonly pallet: PalletDraft;
  readonly onChange: (pallet: PalletDraft) => void;
};

export function PalletFields({ pallet, onChange }: PalletFieldsProps) {
  const change = (part: Partial<PalletDraft>): void => onChange({ ...pallet, ...part });
  const isOwn = pallet.type === "own";
  const numbers = {
    values: pallet,
    path: (key: string) => `pallet.${key}`,
    set: change,
    class: "wide",
  } as const;
  return (
    <Section title="Pallet" class="pallet-fields">
      <div class="filters">
        <Choice
          name="Type"
          class="asked"
          of={pallet.type}
          options={PALLETS}
          set={(type) => change({ type })}
        />
        {isOwn && (
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
            <NumberFields of={OWN} {...numbers} />
          </>
        )}
      </div>
      <div class="filters">
        <NumberFields of={[isOwn ? MOST : ([...MOST, "as usual"] as const), ...PALLET_LIMITS]} {...numbers} />
        <Check of={pallet.stackable} set={(stackable) => change({ stackable })}>
          Others may stand on a built pallet
        </Check>
      </div>
      <p class="quiet cargo-hint">
        Palletised lines are built onto pallets of this type. Built height: with the deck. Overhang: how far
        pieces may stand out beyond each edge of the deck.
      </p>
    </Section>
  );
}
