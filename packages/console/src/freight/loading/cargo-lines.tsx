/** The lines of cargo of a new plan. */
import { Section } from "../../ui/parts.tsx";
import { emptyLine, type Line, type Shape } from "./draft.ts";
import { Field, NumberField } from "./field.tsx";

/** Of the form; the route takes more. */
const LINES_MAX = 50;

type Measure = "diameter_mm" | "length_mm" | "width_mm" | "height_mm" | "weight_kg" | "count";
type Limit = "max_load_kg" | "layers_max" | "stop";

type MeasureField = readonly [Measure, name: string, min: number, max: number, step: "1" | "any"];

/** What differs by shape; the rest is asked of both. */
const ACROSS: Readonly<Record<Shape, readonly MeasureField[]>> = {
  box: [
    ["length_mm", "Length, mm", 1, 20_000, "1"],
    ["width_mm", "Width, mm", 1, 20_000, "1"],
  ],
  cylinder: [["diameter_mm", "Diameter, mm", 1, 20_000, "1"]],
};

const MEASURES: readonly MeasureField[] = [
  ["height_mm", "Height, mm", 1, 20_000, "1"],
  ["weight_kg", "Weight, kg", 0, 100_000, "any"],
  ["count", "Pieces", 1, 20_000, "1"],
];

/** Those that may be empty, and what that means. */
const LIMITS: readonly (readonly [
  Limit,
  name: string,
  min: number,
  max: number,
  step: "1" | "any",
  empty: string,
])[] = [
  ["max_load_kg", "Bears, kg", 0, 100_000, "any", "anything"],
  ["layers_max", "Layers", 1, 100, "1", "any"],
  ["stop", "Stop", 1, 100, "1", "1"],
];

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
  return (
    <fieldset class="cargo-line">
      <legend>Line {number}</legend>
      <div class="filters">
        <Field
          name="Name"
          path={`cargo[${at}].id`}
          class="grow"
          value={line.id}
          maxLength={100}
          placeholder={String(number)}
          onType={(id) => onChange({ id })}
        />
        <ShapeChoice shape={line.shape} onChange={(shape) => onChange({ shape })} />
        {[...ACROSS[line.shape], ...MEASURES].map(([field, name, min, max, step]) => (
          <NumberField
            key={field}
            required
            {...{ name, min, max, step }}
            path={`cargo[${at}].${field}`}
            value={line[field]}
            onType={(typed) => onChange({ [field]: typed })}
          />
        ))}
      </div>
      <div class="filters">
        {LIMITS.map(([field, name, min, max, step, empty]) => (
          <NumberField
            key={field}
            {...{ name, min, max, step }}
            placeholder={empty}
            path={`cargo[${at}].${field}`}
            value={line[field]}
            onType={(typed) => onChange({ [field]: typed })}
          />
        ))}
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

type ShapeChoiceProps = { readonly shape: Shape; readonly onChange: (shape: Shape) => void };

function ShapeChoice({ shape, onChange }: ShapeChoiceProps) {
  return (
    <label class="asked">
      Shape
      <select value={shape} onChange={({ currentTarget }) => onChange(currentTarget.value as Shape)}>
        <option value="box">Box</option>
        <option value="cylinder">Cylinder</option>
      </select>
    </label>
  );
}

function LineChecks({ line, onChange }: Pick<LineFieldsProps, "line" | "onChange">) {
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={line.stackable}
          onChange={({ currentTarget }) => onChange({ stackable: currentTarget.checked })}
        />
        {line.shape === "box" ? "Others may lie on it" : "Others of the line may stand on it"}
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={line.mayTip}
          onChange={({ currentTarget }) => onChange({ mayTip: currentTarget.checked })}
        />
        {line.shape === "box" ? "May lie on any side" : "May lie, with wedges against rolling"}
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={line.palletised}
          onChange={({ currentTarget }) => onChange({ palletised: currentTarget.checked })}
        />
        Palletised
      </label>
    </>
  );
}
