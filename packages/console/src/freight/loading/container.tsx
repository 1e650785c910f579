/** One container: its drawing, its loading order, its weights, and its pieces. */
import { useEffect, useMemo, useState } from "preact/hooks";

import { count } from "../../ui/numbers.ts";
import { Note, Section } from "../../ui/parts.tsx";
import type { Container, Plan } from "./answers.ts";
import { PalletsToBuild } from "./build-table.tsx";
import { Legend, Named, PieceTable, StepTable, type PieceTableProps } from "./cargo-tables.tsx";
import { ColorsProvider } from "./colors.tsx";
import { Drawing } from "./drawing.tsx";
import { colorsBy, DECK_LINE } from "./palette.ts";
import { StepsBar } from "./steps-bar.tsx";
import { loadingOf, type Loading, type Piece } from "./steps.ts";
import { PlanView } from "./view.tsx";
import { Weights } from "./weights.tsx";
import { gaugeOf, hasStops, kilograms, markOf, millimetres, sizeOf, wedgesOf } from "./words.ts";

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
            {hasStops(lines) && <ColorSwitch by={by} onChange={setBy} />}
            <LookSwitch look={isFlat ? "drawings" : "3d"} isWithout3d={isWithout3d} onChange={onChange} />
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
      <Section title="Loading order" aside={<span class="quiet">{count(loading.steps.length)} steps</span>}>
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
    <Section title="Placements" aside={<span class="quiet">{count(props.container.pieces)} pieces</span>}>
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

type LookSwitchProps = {
  readonly look: Look;
  readonly isWithout3d: boolean;
  readonly onChange: ContainerProps["onChange"];
};

function LookSwitch({ look, isWithout3d, onChange }: LookSwitchProps) {
  if (isWithout3d) return null;
  return (
    <fieldset class="switch">
      <legend class="hidden">Drawn</legend>
      {(["3d", "drawings"] as const).map((one) => (
        <label key={one}>
          <input type="radio" name="look" checked={look === one} onChange={() => onChange({ look: one })} />
          <span>{one === "3d" ? "3D" : "Drawings"}</span>
        </label>
      ))}
    </fieldset>
  );
}

type ColorSwitchProps = {
  readonly by: "cargo" | "stop";
  readonly onChange: (by: "cargo" | "stop") => void;
};

function ColorSwitch({ by, onChange }: ColorSwitchProps) {
  return (
    <fieldset class="switch">
      <legend class="hidden">Coloured by</legend>
      {(["cargo", "stop"] as const).map((one) => (
        <label key={one}>
          <input type="radio" name="colours" checked={by === one} onChange={() => onChange(one)} />
          <span>{one === "cargo" ? "By cargo" : "By stop"}</span>
        </label>
      ))}
    </fieldset>
  );
}

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
