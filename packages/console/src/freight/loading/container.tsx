/** One container: its drawing, its loading order, its weights, and its pieces. */
import { useEffect, useMemo, useState } from "preact/hooks";

import { Switch } from "../../ui/fields.tsx";
import { count } from "../../ui/numbers.ts";
import { Note, Section } from "../../ui/parts.tsx";
import type { Cargo, Container, Plan } from "./answers.ts";
import { PalletsToBuild } from "./build-table.tsx";
import { Legend, Named, PieceTable, type PieceTableProps, StepTable } from "./cargo-tables.tsx";
import { ColorsProvider } from "./colors.tsx";
import { Drawing } from "./drawing.tsx";
import { colorsBy, DECK_LINE } from "./palette.ts";
import { type Loading, loadingOf, type Piece, type Step } from "./steps.ts";
import { PlanView } from "./view.tsx";
import { Weights } from "./weights.tsx";
import { gaugeOf, hasStops, kilograms, markOf, millimetres, sentenceOf, sizeOf, wedgesOf } from "./words.ts";

export type Look = "3d" | "drawings";

type ContainerProps = {
  readonly plan: Plan;
  readonly container: Container;
  readonly look: Look;
  /** How many steps are done; null: all. */
  readonly step: number | null;
  readonly onChange: (part: { readonly look?: Look; readonly step?: number }) => void;
};

const MM_PER_M = 1_000;

/** Null: no step was left. */
function doneOf(step: number | null, { steps }: Loading): number {
  return Math.min(steps.length, step ?? steps.length);
}

function shownOf({ steps }: Loading, done: number, chosen: number | null) {
  const current = done === steps.length ? undefined : steps[done - 1];
  const to = steps[done - 1]?.to ?? 0;
  const shown = { from: current?.from ?? 0, to, chosen: chosen !== null && chosen < to ? chosen : null };
  return { current, shown };
}

export function ContainerCard({ plan, container, look, step, onChange }: ContainerProps) {
  const lines = plan.request.cargo;
  const loading = useMemo(() => loadingOf(container.placements, lines, container.pallets), [container]);
  const done = doneOf(step, loading);
  const [chosen, setChosen] = useState<number | null>(null);
  const [isWithout3d, setWithout3d] = useState(false);
  useEffect(() => setChosen(null), [container]);
  const { current, shown } = shownOf(loading, done, chosen);
  const choose = (piece: number): void => {
    setChosen(piece);
    const at = loading.steps.findIndex(({ to }) => piece < to) + 1;
    if (at > done) onChange({ step: at });
  };
  const tareKg = plan.request.pallet?.tare_kg ?? 0;
  const isFlat = look === "drawings" || isWithout3d;
  const of = { container, loading, lines };
  const [by, setBy] = useState<"cargo" | "stop">("cargo");
  const colors = useMemo(() => colorsBy({ by, stops: lines.map(({ stop }) => stop) }), [by, lines]);
  return (
    <ColorsProvider value={colors}>
      <Section
        title={`Container ${container.number}: ${container.type}`}
        class="load-card"
        aside={
          <div class="looks">
            {hasStops(lines) && (
              <Switch legend="Coloured by" name="colours" of={by} options={COLORS} set={setBy} />
            )}
            {!isWithout3d && (
              <Switch
                legend="Drawn"
                name="look"
                of={look}
                options={LOOKS}
                set={(one) => onChange({ look: one })}
              />
            )}
          </div>
        }
      >
        {isWithout3d && <Without3d />}
        <Handling container={container} />
        <StepsBar {...of} steps={loading.steps} done={done} onStep={(to) => onChange({ step: to })} />
        <div class="load">
          {isFlat ? (
            <Drawings {...of} done={done} current={current} chosen={shown.chosen} onChoose={setChosen} />
          ) : (
            <PlanView
              {...of}
              door={doorOf(plan, container)}
              shown={shown}
              onChoose={setChosen}
              onFail={() => setWithout3d(true)}
            />
          )}
          <div class="load-side">
            <Chosen
              piece={chosen === null ? undefined : loading.pieces[chosen]}
              at={chosen ?? 0}
              lines={lines}
              tareKg={tareKg}
            />
            <Legend loading={loading} lines={lines} done={done} />
          </div>
        </div>
      </Section>
      <Weights container={container} />
      <PalletsToBuild plan={plan} container={container} />
      <Section title="Loading order" aside={`${count(loading.steps.length)} steps`}>
        <StepTable
          {...of}
          tareKg={tareKg}
          done={step === null ? 0 : done}
          onStep={(to) => onChange({ step: to })}
        />
      </Section>
      <Placements {...of} chosen={chosen} onChoose={choose} />
    </ColorsProvider>
  );
}

function Placements(props: PieceTableProps) {
  const [isListed, setListed] = useState(false);
  return (
    <Section title="Placements" aside={`${count(props.container.pieces)} pieces`}>
      <details onToggle={({ currentTarget }) => setListed(currentTarget.open)}>
        <summary>Where each piece lies</summary>
        {isListed && <PieceTable {...props} />}
      </details>
    </Section>
  );
}

/** What the loaders and the carrier must know. */
function Handling({ container }: Pick<ContainerProps, "container">) {
  const said = [wedgesOf(container), gaugeOf(container)].filter((words) => words !== null);
  return said.map((words) => (
    <Note key={words} kind="info" isStill>
      {words}
    </Note>
  ));
}

function Without3d() {
  return (
    <Note kind="info" isStill>
      This browser cannot draw in three dimensions: it has no WebGL, or the view did not load. The drawings
      show the same.
    </Note>
  );
}

function doorOf({ request }: Plan, container: Container) {
  const type = request.containers.find((one) => one.type === container.type);
  return {
    widthM: (type?.door_width_mm ?? container.width_mm) / MM_PER_M,
    heightM: (type?.door_height_mm ?? container.height_mm) / MM_PER_M,
  };
}

const LOOKS = [
  ["3d", "3D"],
  ["drawings", "Drawings"],
] as const;

const COLORS = [
  ["cargo", "By cargo"],
  ["stop", "By stop"],
] as const;

type DrawingsProps = {
  readonly container: Container;
  readonly loading: Loading;
  readonly done: number;
  readonly current: Loading["steps"][number] | undefined;
  readonly chosen: number | null;
  readonly onChoose: (piece: number | null) => void;
};

function Drawings({ container, loading, done, current, chosen, onChoose }: DrawingsProps) {
  const steps = useMemo(() => loading.steps.slice(0, done), [loading, done]);
  const placed = steps.at(-1)?.to ?? 0;
  const choose = (isAt: (piece: Piece) => boolean, nearness: (piece: Piece) => number): void => {
    let found: number | null = null;
    for (let at = 0; at < placed; at += 1) {
      const piece = loading.pieces[at]!;
      if (isAt(piece) && (found === null || nearness(piece) > nearness(loading.pieces[found]!))) found = at;
    }
    onChoose(found);
  };
  const selected = chosen === null ? undefined : loading.pieces[chosen];
  return (
    <div class="drawings">
      {(["side", "top", "door"] as const).map((side) => (
        <Drawing
          key={side}
          room={container}
          steps={steps}
          side={side}
          label={({ line, pallet }) => (pallet === undefined ? markOf(line) : `P${pallet.number}`)}
          current={current}
          selected={selected}
          onPoint={choose}
        />
      ))}
    </div>
  );
}

type ChosenProps = {
  readonly piece: Piece | undefined;
  readonly at: number;
  readonly lines: Plan["request"]["cargo"];
  readonly tareKg: number;
};

function Chosen({ piece, at, lines, tareKg }: ChosenProps) {
  return (
    <div class="chosen-piece" role="status">
      {piece === undefined ? (
        <p class="quiet">Select a piece to see its size, weight and place.</p>
      ) : (
        <>
          <p>
            <strong>
              Piece {count(at + 1)}: <Named line={piece.line} lines={lines} />
            </strong>
          </p>
          <p>
            {sizeOf(piece)}, {kilograms(lines[piece.line]?.weight_kg ?? tareKg)}
            {piece.line !== DECK_LINE &&
              hasStops(lines) &&
              `, unloaded at stop ${lines[piece.line]?.stop ?? 1}`}
          </p>
          <p class="quiet">
            {millimetres(piece.x)} from the front wall, {millimetres(piece.y)} from the left,{" "}
            {millimetres(piece.z)} above the floor
          </p>
        </>
      )}
    </div>
  );
}

const PLAY_MS = 900;

type StepsBarProps = {
  readonly container: Container;
  readonly steps: readonly Step[];
  readonly lines: readonly Cargo[];
  /** How many steps are done. */
  readonly done: number;
  readonly onStep: (done: number) => void;
};

function StepsBar({ container, steps, lines, done, onStep }: StepsBarProps) {
  const [isPlaying, setPlaying] = useState(false);
  const last = steps.length;
  useEffect(() => {
    if (!isPlaying) return undefined;
    if (done >= last) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => onStep(done + 1), PLAY_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, done, last]);
  const play = (): void => {
    if (!isPlaying && done >= last) onStep(0);
    setPlaying(!isPlaying);
  };
  const go = (to: number): void => {
    setPlaying(false);
    onStep(to);
  };
  const step = steps[done - 1];
  const placed = step === undefined ? "The container is empty." : sentenceOf(step, lines, container);
  const said = done === last ? `All is loaded. Last: ${placed}` : placed;
  return (
    <div class="steps-bar">
      <div class="steps-controls">
        <button type="button" disabled={done === 0} onClick={() => go(done - 1)}>
          Back
        </button>
        <button type="button" disabled={done >= last} onClick={() => go(done + 1)}>
          Next step
        </button>
        <button type="button" aria-pressed={isPlaying} onClick={play}>
          {isPlaying ? "Pause" : "Play"}
        </button>
        <input
          type="range"
          min={0}
          max={last}
          value={done}
          aria-label="Step"
          aria-valuetext={`${done} of ${last}`}
          onInput={({ currentTarget }) => go(Number(currentTarget.value))}
        />
        <span class="step-count">
          {count(done)} of {count(last)}
        </span>
      </div>
      <p class="said" role="status">
        {said}
      </p>
    </div>
  );
}
