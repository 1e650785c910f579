/** A plan on paper: a page for each container, with its drawings, its loading order and its totals. */
import { useMemo } from "preact/hooks";

import { count } from "../../ui/numbers.ts";
import { Empty, Head } from "../../ui/parts.tsx";
import { Link, usePlace } from "../../ui/route.tsx";
import { Time } from "../../ui/time.tsx";
import { useProductPlace } from "../place.tsx";
import type { Container, Plan } from "./answers.ts";
import { Loaded } from "./cargo-tables.tsx";
import { PalletsToBuild } from "./build-table.tsx";
import { Drawing } from "./drawing.tsx";
import { OfPlan } from "./plan.tsx";
import { loadingOf, type Step } from "./steps.ts";
import {
  balanceOf,
  gaugeOf,
  hasStops,
  kilograms,
  nameOf,
  percent,
  placeOf,
  sizeOf,
  stopOf,
  wedgesOf,
} from "./words.ts";

/** At once in the document; more are printed in parts. */
const SHEETS_MAX = 40;
/** A list of more steps is set in small type. */
const STEPS_LARGE_MAX = 22;

export function PrintPage({ id }: { readonly id: string }) {
  return <OfPlan id={id}>{(found) => <Paper plan={found} />}</OfPlan>;
}

function Paper({ plan }: { readonly plan: Plan }) {
  const { pages } = useProductPlace();
  const { query } = usePlace();
  const first = Math.max(1, Math.floor(Number(query.get("from") ?? "1")) || 1) - 1;
  const next = first + SHEETS_MAX;
  const shown = plan.containers.slice(first, next);
  const address = `${pages}/${plan.id}`;
  return (
    <div class="print">
      <Head title={nameOf(plan)} about={<Link to={address}>Back to the plan</Link>}>
        {next < plan.containers.length && (
          <Link to={`${address}/print?from=${next + 1}`} class="button">
            Next containers
          </Link>
        )}
        <button type="button" class="primary" onClick={() => print()}>
          Print {shown.length === plan.containers.length ? "" : `${first + 1} to ${first + shown.length}`}
        </button>
      </Head>
      {shown.length === 0 && (
        <Empty title="There is nothing to print">No container of this plan is left.</Empty>
      )}
      {shown.map((container) => (
        <Sheet key={container.number} plan={plan} container={container} />
      ))}
    </div>
  );
}

function Sheet({ plan, container }: { readonly plan: Plan; readonly container: Container }) {
  const lines = plan.request.cargo;
  const { steps } = useMemo(() => loadingOf(container.placements, lines, container.pallets), [container]);
  const numbers = useMemo(() => new Map(steps.map((step, at) => [step, String(at + 1)])), [steps]);
  const label = (step: Step): string => numbers.get(step) ?? "";
  const isShort = container.length_mm < 3 * container.width_mm;
  const handling = [wedgesOf(container), gaugeOf(container)].filter((words) => words !== null);
  const drawing = { room: container, label };
  return (
    <section class="sheet" aria-label={`Container ${container.number}`}>
      <header>
        <h2>
          <bdi>{nameOf(plan)}</bdi>: container {count(container.number)} of {count(plan.containers.length)},{" "}
          <bdi>{container.type}</bdi>
        </h2>
        <p class="quiet">
          Revision {count(plan.revision)}, <Time at={plan.updated_at} full />
        </p>
      </header>
      <Totals container={container} />
      {handling.map((words) => (
        <p key={words}>{words}</p>
      ))}
      <div class={`sheet-drawings ${isShort ? "short" : ""}`}>
        <Drawing {...drawing} side="side" steps={steps} />
        {levelsOf(steps, container).map(([title, level]) => (
          <Drawing key={title} {...drawing} side="top" title={`From above: ${title}`} steps={level} />
        ))}
      </div>
      <PalletsToBuild plan={plan} container={container} />
      <ol class={`sheet-steps ${steps.length > STEPS_LARGE_MAX ? "small" : ""}`}>
        {steps.map((step) => (
          <li key={step.from}>
            <Loaded step={step} lines={lines} />
            {step.pallet === undefined && <strong> × {count(step.to - step.from)}</strong>}
            <span class="quiet">
              {" "}
              {step.pallet === undefined
                ? `${step.deep} × ${step.wide} × ${step.high}, each ${sizeOf(step.piece)}`
                : sizeOf(step)}
              ; {placeOf(step, lines, container)}
              {step.pallet?.turned === true && ", its length across"}
              {hasStops(lines) && `; stop ${stopOf(step, lines)}`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What stands on the floor, and what lies above it: what begins in the lower half, and in the upper. */
function levelsOf(
  steps: readonly Step[],
  { height_mm: height }: Container,
): readonly (readonly [title: string, steps: readonly Step[]])[] {
  const levels = [
    ["on the floor", steps.filter(({ z }) => z === 0)],
    ["lower half", steps.filter(({ z }) => z > 0 && z < height / 2)],
    ["upper half", steps.filter(({ z }) => z > 0 && z >= height / 2)],
  ] as const;
  return levels.filter(([, level]) => level.length > 0);
}

function Totals({ container }: { readonly container: Container }) {
  const balance = balanceOf(container);
  const { weight_kg: weight, max_payload_kg: most, gross_weight_kg: gross } = container;
  const facts = [
    ["Pieces", count(container.pieces)],
    ["Volume used", percent(container.volume_fill)],
    ["Cargo", `${kilograms(weight)} of ${kilograms(most)}`],
    ["Gross", gross === null ? "no tare" : kilograms(gross)],
    ["Centre along", balance === null ? "–" : balance.words[0]],
    ["Centre across", balance === null ? "–" : balance.words[1]],
  ] as const;
  return (
    <dl class="totals">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
