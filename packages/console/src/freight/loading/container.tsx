/** One container: its drawing, its loading order, its weights, and its pieces. */
import { useEffect, useMemo, useState } from "preact/hooks";

import { count } from "../../ui/numbers.ts";
import { Badge, Facts, Note, Section } from "../../ui/parts.tsx";
import type { Container, Plan } from "./answers.ts";
import { Legend, Named, PieceTable, StepTable } from "./cargo-tables.tsx";
import { Drawing } from "./drawing.tsx";
import { StepsBar } from "./steps-bar.tsx";
import { loadingOf, type Loading, type Piece } from "./steps.ts";
import { PlanView } from "./view.tsx";
import { balanceOf, kilograms, limitOf, markOf, millimetres, percent, sizeOf } from "./words.ts";

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

export function ContainerCard({ plan, container, look, step, onChange }: ContainerProps) {
  const lines = plan.request.cargo;
  const loading = useMemo(() => loadingOf(container.placements, lines), [container]);
  const done = doneOf(step, loading);
  const [chosen, setChosen] = useState<number | null>(null);
  const [isListed, setListed] = useState(false);
  const [isWithout3d, setWithout3d] = useState(false);
  useEffect(() => setChosen(null), [container]);
  const current = done === loading.steps.length ? undefined : loading.steps[done - 1];
  const placed = loading.steps[done - 1]?.to ?? 0;
  const shown = {
    from: current?.from ?? 0,
    to: placed,
    chosen: chosen !== null && chosen < placed ? chosen : null,
  };
  const choose = (piece: number): void => {
    setChosen(piece);
    const at = loading.steps.findIndex(({ to }) => piece < to) + 1;
    if (at > done) onChange({ step: at });
  };
  const isFlat = look === "drawings" || isWithout3d;
  const of = { container, loading, lines };
  return (
    <>
      <Section
        title={`Container ${container.number}: ${container.type}`}
        class="load-card"
        aside={<LookSwitch look={isFlat ? "drawings" : "3d"} isWithout3d={isWithout3d} onChange={onChange} />}
      >
        {isWithout3d && <Without3d />}
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
            />
            <Legend loading={loading} lines={lines} done={done} />
          </div>
        </div>
      </Section>
      <Weights container={container} />
      <Section title="Loading order" aside={<span class="quiet">{count(loading.steps.length)} steps</span>}>
        <StepTable {...of} done={step === null ? 0 : done} onStep={(to) => onChange({ step: to })} />
      </Section>
      <Section title="Placements" aside={<span class="quiet">{count(container.pieces)} pieces</span>}>
        <details onToggle={({ currentTarget }) => setListed(currentTarget.open)}>
          <summary>Where each piece lies</summary>
          {isListed && <PieceTable {...of} chosen={chosen} onChoose={choose} />}
        </details>
      </Section>
    </>
  );
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
          label={({ line }) => markOf(line)}
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
};

function Chosen({ piece, at, lines }: ChosenProps) {
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
            {sizeOf(piece)}, {kilograms(lines[piece.line]?.weight_kg ?? 0)}
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

function Weights({ container }: { readonly container: Container }) {
  const balance = balanceOf(container);
  const { weight_kg: weight, max_payload_kg: most, gross_weight_kg: gross } = container;
  return (
    <Section title="Weight and balance" aside={balance !== null && <BalanceBadge isOff={balance.isOff} />}>
      <div class="balance">
        <Facts
          of={[
            [
              "Cargo",
              `${kilograms(weight)} of ${kilograms(most)} (${percent(most === 0 ? 1 : weight / most)})`,
            ],
            ["Gross", gross === null ? "not known: no tare" : kilograms(gross)],
            ["Volume used", percent(container.volume_fill)],
            ["Inside", sizeOf({ dx: container.length_mm, dy: container.width_mm, dz: container.height_mm })],
            ...(balance === null
              ? [["Centre of gravity", "The cargo weighs nothing"] as const]
              : ([
                  ["Along", balance.words[0]],
                  ["Across", balance.words[1]],
                  ["Height", balance.words[2]],
                ] as const)),
            ...container.limits.map(limitOf),
          ]}
        />
        <p class="quiet">
          Where the cargo's centre of gravity lies, against the middle of the container. It is marked as off
          the middle beyond 5 % of the length (CTU Code, annex 7) or of the width, or above half the height.
          The planner moves cargo to keep the limits of the request.
        </p>
      </div>
    </Section>
  );
}

export function BalanceBadge({ isOff }: { readonly isOff: boolean }) {
  return isOff ? <Badge tone="warn">Off the middle</Badge> : <Badge tone="good">Balanced</Badge>;
}
