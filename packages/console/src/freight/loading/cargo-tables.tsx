/** The cargo of a container as text: its legend, its steps, and where each piece lies. */
import { count } from "../../ui/numbers.ts";
import { Badge } from "../../ui/parts.tsx";
import type { Column } from "../../ui/table.tsx";
import type { Cargo, Container } from "./answers.ts";
import { useColors } from "./colors.tsx";
import { Paged, PagedTable, RowButton } from "./paged.tsx";
import { DECK_LINE } from "./palette.ts";
import type { Loading, Piece, Step } from "./steps.ts";
import {
  asksOf,
  hasStops,
  kilograms,
  markOf,
  measuresOf,
  millimetres,
  placeOf,
  sizeOf,
  stopOf,
} from "./words.ts";

const STEPS_SHOWN = 12;
const PIECES_SHOWN = 20;
const LINES_SHOWN = 7;

export function Mark({ line }: { readonly line: number }) {
  const colorOf = useColors();
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="4" fill={colorOf(line)} />
      <text x="12" y="12.5" text-anchor="middle" dominant-baseline="central">
        {markOf(line)}
      </text>
    </svg>
  );
}

export function Named({ line, lines }: { readonly line: number; readonly lines: readonly Cargo[] }) {
  if (line === DECK_LINE) {
    return (
      <>
        <Mark line={line} /> Empty pallet
      </>
    );
  }
  return (
    <>
      <Mark line={line} />
      <span class="hidden">{markOf(line)}: </span>
      <bdi>{lines[line]?.id ?? "?"}</bdi>
    </>
  );
}

type OfContainer = {
  readonly container: Container;
  readonly loading: Loading;
  readonly lines: readonly Cargo[];
};

/** Each kind of piece, and how many of it are in by now. */
export function Legend({ loading, lines, done }: Omit<OfContainer, "container"> & { readonly done: number }) {
  const [all, placed] = [new Map<number, number>(), new Map<number, number>()];
  const end = loading.steps[done - 1]?.to ?? 0;
  for (const [at, { line }] of loading.pieces.entries()) {
    all.set(line, (all.get(line) ?? 0) + 1);
    if (at < end) placed.set(line, (placed.get(line) ?? 0) + 1);
  }
  const present = [...all].toSorted(([one], [other]) => one - other);
  return (
    <Paged of={present} size={LINES_SHOWN} what="kinds">
      {(rows) => (
        <ul class="cargo-legend" aria-label="Cargo">
          {rows.map(([line, pieces]) => (
            <li key={line}>
              <Mark line={line} />
              <span class="cargo-name">
                <bdi>{line === DECK_LINE ? "Empty pallet" : (lines[line]?.id ?? "?")}</bdi>{" "}
                {line !== DECK_LINE && hasStops(lines) && <StopBadge of={lines[line]} />}
                <Measures of={lines[line]} />
              </span>
              <span class="cargo-count">
                {count(placed.get(line) ?? 0)}/{count(pieces)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Paged>
  );
}

function Measures({ of }: { readonly of: Cargo | undefined }) {
  if (of === undefined) return null;
  const { weight_kg: weight, stackable } = of;
  const asks = asksOf(of);
  return (
    <span class="quiet">
      <span>{measuresOf(of)}</span> · <span>{kilograms(weight)}</span>
      {!stackable && " · nothing on it"}
      {asks !== "" && ` · ${asks}`}
    </span>
  );
}

function StopBadge({ of }: { readonly of: Cargo | undefined }) {
  return <Badge tone="none">Stop {of?.stop ?? 1}</Badge>;
}

export function Loaded({
  step: { pallet, line },
  lines,
}: {
  readonly step: Step;
  readonly lines: readonly Cargo[];
}) {
  if (pallet === undefined) return <Named line={line} lines={lines} />;
  return (
    <>
      <Mark line={line} /> Pallet {count(pallet.number)} (build {count(pallet.build)})
    </>
  );
}

/** In kilograms. */
function weightOf({ line, from, to, parts }: Step, lines: readonly Cargo[], tareKg: number): number {
  if (parts.length === 0) return (to - from) * (lines[line]?.weight_kg ?? 0);
  return parts.reduce((sum, part) => sum + (lines[part.line]?.weight_kg ?? 0), tareKg);
}

type StepTableProps = OfContainer & {
  /** Of an empty pallet. */
  readonly tareKg: number;
  readonly done: number;
  readonly onStep: (done: number) => void;
};

export function StepTable({ container, loading: { steps }, lines, done, tareKg, onStep }: StepTableProps) {
  const at = (step: Step): number => steps.indexOf(step) + 1;
  const stop: Column<Step> = { name: "Stop", isNumber: true, of: (step) => stopOf(step, lines) };
  return (
    <PagedTable
      of={steps}
      size={STEPS_SHOWN}
      what="steps"
      at={done - 1}
      label="Loading order"
      keyOf={({ from }) => String(from)}
      columns={[
        {
          name: "Step",
          of: (step) => (
            <RowButton
              isCurrent={at(step) === done}
              label={`Show step ${at(step)}`}
              onClick={() => onStep(at(step))}
            >
              {count(at(step))}
            </RowButton>
          ),
        },
        { name: "Cargo", isWide: true, of: (step) => <Loaded step={step} lines={lines} /> },
        ...(hasStops(lines) ? [stop] : []),
        {
          name: "Pieces",
          isNumber: true,
          of: ({ from, to, pallet }) => count(pallet === undefined ? to - from : to - from - 1),
        },
        { name: "Deep × wide × high", of: ({ deep, wide, high }) => `${deep} × ${wide} × ${high}` },
        { name: "Where", isWide: true, of: (step) => <bdi>{placeOf(step, lines, container)}</bdi> },
        {
          name: "Weight",
          isNumber: true,
          of: (step) => kilograms(weightOf(step, lines, tareKg)),
        },
      ]}
    />
  );
}

export type PieceTableProps = OfContainer & {
  readonly chosen: number | null;
  readonly onChoose: (piece: number) => void;
};

/** The text alternative of the drawings. */
export function PieceTable({ loading: { pieces }, lines, chosen, onChoose }: PieceTableProps) {
  const at = (piece: Piece): number => pieces.indexOf(piece);
  return (
    <PagedTable
      of={pieces}
      size={PIECES_SHOWN}
      what="pieces"
      at={chosen ?? 0}
      label="Placements"
      keyOf={(piece) => String(at(piece))}
      columns={[
        {
          name: "Piece",
          of: (piece) => (
            <RowButton
              isCurrent={at(piece) === chosen}
              label={`Select piece ${at(piece) + 1}`}
              onClick={() => onChoose(at(piece))}
            >
              {count(at(piece) + 1)}
            </RowButton>
          ),
        },
        { name: "Cargo", isWide: true, of: ({ line }) => <Named line={line} lines={lines} /> },
        { name: "From the front", isNumber: true, of: ({ x }) => millimetres(x) },
        { name: "From the left", isNumber: true, of: ({ y }) => millimetres(y) },
        { name: "From the floor", isNumber: true, of: ({ z }) => millimetres(z) },
        { name: "Size as it lies", isNumber: true, of: sizeOf },
      ]}
    />
  );
}
