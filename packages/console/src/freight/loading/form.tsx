/** A client makes a plan. */
import { useState } from "preact/hooks";

import { Head, Note, Section } from "../../ui/parts.tsx";
import { go, Link } from "../../ui/route.tsx";
import { useClient, useProductPlace } from "../place.tsx";
import type { CargoSent, Routes } from "./answers.ts";

const TYPES = ["20GP", "40GP", "40HC", "45HC", "20RF", "40RF"] as const;
const USUAL: readonly string[] = ["20GP", "40GP", "40HC"];
/** Of the form; the route takes more. */
const LINES_MAX = 50;
/** The service plans for up to forty seconds. */
const PLANNING_MS_MAX = 60_000;

type Line = {
  readonly key: number;
  readonly id: string;
  readonly length_mm: string;
  readonly width_mm: string;
  readonly height_mm: string;
  readonly weight_kg: string;
  readonly count: string;
  readonly stackable: boolean;
  readonly mayTip: boolean;
};

type Field = "length_mm" | "width_mm" | "height_mm" | "weight_kg" | "count";

const FIELDS: readonly (readonly [Field, name: string, min: number, max: number, step: string])[] = [
  ["length_mm", "Length, mm", 1, 20_000, "1"],
  ["width_mm", "Width, mm", 1, 20_000, "1"],
  ["height_mm", "Height, mm", 1, 20_000, "1"],
  ["weight_kg", "Weight, kg", 0, 100_000, "any"],
  ["count", "Pieces", 1, 20_000, "1"],
];

function emptyLine(key: number): Line {
  const measures = { length_mm: "", width_mm: "", height_mm: "", weight_kg: "", count: "1" };
  return { key, id: "", ...measures, stackable: true, mayTip: false };
}

function cargoOf(line: Line): CargoSent {
  return {
    ...(line.id === "" ? {} : { id: line.id }),
    length_mm: Number(line.length_mm),
    width_mm: Number(line.width_mm),
    height_mm: Number(line.height_mm),
    weight_kg: Number(line.weight_kg),
    count: Number(line.count),
    stackable: line.stackable,
    upright: line.mayTip ? ["length", "width", "height"] : ["height"],
  };
}

type Draft = { readonly name: string; readonly types: readonly string[]; readonly lines: readonly Line[] };

function bodyOf({ name, types, lines }: Draft) {
  return {
    ...(name.trim() === "" ? {} : { name: name.trim() }),
    cargo: lines.map(cargoOf),
    containers: TYPES.filter((type) => types.includes(type)).map((type) => ({ type })),
  };
}

export function NewPlan() {
  const { pages } = useProductPlace();
  const { ask } = useClient<Routes>();
  const [draft, setDraft] = useState<Draft>({ name: "", types: USUAL, lines: [emptyLine(0)] });
  const [isSent, setSent] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const change = (part: Partial<Draft>): void => setDraft({ ...draft, ...part });
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    setSent(true);
    setWrong(null);
    const answer = await ask("POST /v1/plans", {}, bodyOf(draft), PLANNING_MS_MAX);
    if (answer.ok) return go(`${pages}/${answer.value.data.id}`);
    setWrong(answer.failure.message);
    setSent(false);
  };
  const hasTypes = draft.types.length > 0;
  const said = hasTypes ? (isSent ? "This takes some seconds." : "") : "Choose a type of container.";
  return (
    <form class="plan-form" onSubmit={(event) => void send(event)}>
      <Head title="New plan" about={<Link to={pages}>To the plans</Link>} />
      <Section title="Plan">
        <div class="filters">
          <label class="grow">
            Name (optional)
            <input
              value={draft.name}
              maxLength={200}
              onInput={({ currentTarget }) => change({ name: currentTarget.value })}
            />
          </label>
        </div>
        <TypeChoice types={draft.types} onChange={(types) => change({ types })} />
      </Section>
      <CargoLines lines={draft.lines} onChange={(lines) => change({ lines })} />
      {wrong !== null && <Note kind="bad">{wrong}</Note>}
      <div class="form-foot">
        <button type="submit" class="primary" disabled={isSent || !hasTypes}>
          {isSent ? "Planning…" : "Make the plan"}
        </button>
        <span class="quiet" role="status">
          {said}
        </span>
      </div>
    </form>
  );
}

type CargoLinesProps = {
  readonly lines: readonly Line[];
  readonly onChange: (lines: readonly Line[]) => void;
};

function CargoLines({ lines, onChange }: CargoLinesProps) {
  const change = (key: number, part: Partial<Line>): void =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...part } : line)));
  const add = (): void => onChange([...lines, emptyLine(Math.max(...lines.map(({ key }) => key)) + 1)]);
  return (
    <Section title="Cargo">
      {lines.map((line, at) => (
        <LineFields
          key={line.key}
          line={line}
          number={at + 1}
          onChange={(part) => change(line.key, part)}
          {...(lines.length > 1
            ? { onRemove: () => onChange(lines.filter(({ key }) => key !== line.key)) }
            : {})}
        />
      ))}
      <button type="button" disabled={lines.length >= LINES_MAX} onClick={add}>
        Add a line
      </button>
    </Section>
  );
}

type TypeChoiceProps = {
  readonly types: readonly string[];
  readonly onChange: (types: readonly string[]) => void;
};

function TypeChoice({ types, onChange }: TypeChoiceProps) {
  return (
    <fieldset class="types">
      <legend class="quiet">Containers that may be used, as many as are needed</legend>
      {TYPES.map((type) => (
        <label key={type} class="check">
          <input
            type="checkbox"
            checked={types.includes(type)}
            onChange={({ currentTarget }) =>
              onChange(currentTarget.checked ? [...types, type] : types.filter((one) => one !== type))
            }
          />
          {type}
        </label>
      ))}
    </fieldset>
  );
}

type LineFieldsProps = {
  readonly line: Line;
  readonly number: number;
  readonly onChange: (part: Partial<Line>) => void;
  readonly onRemove?: () => void;
};

function LineFields({ line, number, onChange, onRemove }: LineFieldsProps) {
  return (
    <fieldset class="filters cargo-line">
      <legend>Line {number}</legend>
      <label class="grow">
        Name
        <input
          value={line.id}
          maxLength={100}
          placeholder={String(number)}
          onInput={({ currentTarget }) => onChange({ id: currentTarget.value })}
        />
      </label>
      {FIELDS.map(([field, name, min, max, step]) => (
        <label key={field} class="measure">
          {name}
          <input
            type="number"
            required
            inputMode="decimal"
            min={min}
            max={max}
            step={step}
            value={line[field]}
            onInput={({ currentTarget }) => onChange({ [field]: currentTarget.value })}
          />
        </label>
      ))}
      <label class="check">
        <input
          type="checkbox"
          checked={line.stackable}
          onChange={({ currentTarget }) => onChange({ stackable: currentTarget.checked })}
        />
        Others may lie on it
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={line.mayTip}
          onChange={({ currentTarget }) => onChange({ mayTip: currentTarget.checked })}
        />
        May lie on any side
      </label>
      {onRemove !== undefined && (
        <button type="button" class="plain" aria-label={`Remove line ${number}`} onClick={onRemove}>
          Remove
        </button>
      )}
    </fieldset>
  );
}
