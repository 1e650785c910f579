/** What a container weighs, where its weight is, and which limits it keeps. */
import { Badge, Facts, Section } from "../../ui/parts.tsx";
import type { Container } from "./answers.ts";
import { balanceOf, kilograms, limitOf, percent, sizeOf } from "./words.ts";

export function Weights({ container }: { readonly container: Container }) {
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
            ...container.limits.map((limit) => {
              const [name, words] = limitOf(limit);
              return [name, <Limit key={name} words={words} isKept={limit.kept} />] as const;
            }),
          ]}
        />
        <p class="quiet">
          Where the cargo's centre of gravity lies, against the middle of the container. It is marked as off
          the middle beyond 5 % of the length (CTU Code, annex 7) or of the width, or above half the height.
          The planner moves cargo to keep the limits of the request.
        </p>
        {balance !== null && <Metres of={container} />}
      </div>
    </Section>
  );
}

function Limit({ words, isKept }: { readonly words: string; readonly isKept: boolean }) {
  return (
    <>
      {words} <KeptBadge lost={isKept ? 0 : 1} />
    </>
  );
}

/** `lost`: how many limits are not kept. */
function KeptBadge({ lost, of = 1 }: { readonly lost: number; readonly of?: number }) {
  if (lost === 0) return <Badge tone="good">Kept</Badge>;
  return <Badge tone="warn">{of === 1 ? "Not kept" : `${lost} of ${of} not kept`}</Badge>;
}

/** Of all limits of a container together. */
export function LimitsBadge({ of: { limits } }: { readonly of: Pick<Container, "limits"> }) {
  if (limits.length === 0) return <span class="quiet">none</span>;
  return <KeptBadge lost={limits.filter(({ kept }) => !kept).length} of={limits.length} />;
}

export function BalanceBadge({ isOff }: { readonly isOff: boolean }) {
  return isOff ? <Badge tone="warn">Off the middle</Badge> : <Badge tone="good">Balanced</Badge>;
}

/** What stands on each metre from the front wall, against the most that may. */
function Metres({ of: { load_per_metre_kg: loads, limits } }: { readonly of: Container }) {
  const max = limits.find(({ limit }) => limit === "line_load_kg_m")?.max ?? null;
  const whole = Math.max(max ?? 0, ...loads);
  return (
    <div>
      <h3>On each metre, from the front wall to the door</h3>
      <ol class="metres">
        {loads.map((load, at) => (
          <li key={at} class={max !== null && load > max ? "over" : ""}>
            <span class="quiet">
              <span class="hidden">Metre </span>
              {at + 1}
            </span>
            <span class="meter-bar" aria-hidden="true">
              <span style={{ width: `${((100 * load) / whole).toFixed(1)}%` }} />
            </span>
            <span class="metre-load">{kilograms(Math.round(load))}</span>
          </li>
        ))}
      </ol>
      {max !== null && <p class="quiet">A full bar is the most on a metre: {kilograms(max)}.</p>}
    </div>
  );
}
