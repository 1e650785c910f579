/** One plan: its containers, what is left behind, and the container that the address names. */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

import { withQuery } from "../../ui/api.ts";
import { Found, useData, type Data } from "../../ui/data.tsx";
import { count } from "../../ui/numbers.ts";
import { Confirm, useAction } from "../../ui/action.tsx";
import { Empty, Head, Note, Section, Stat } from "../../ui/parts.tsx";
import { go, Link, usePlace } from "../../ui/route.tsx";
import { Time } from "../../ui/time.tsx";
import { Placed } from "../clocks.tsx";
import { useClient, useProductPlace } from "../place.tsx";
import { Timeline, type Milestone } from "../timeline.tsx";
import type { Plan, Loading } from "./answers.ts";
import { ContainerCard, type Look } from "./container.tsx";
import { typesOf } from "./list.tsx";
import { Meter } from "./meter.tsx";
import { PagedTable, RowButton } from "./paged.tsx";
import { BalanceBadge, LimitsBadge } from "./weights.tsx";
import { balanceOf, cubicMetres, kilograms, nameOf, percent, REASONS } from "./words.ts";

/** A plan of many pieces takes megabytes and seldom changes. */
const AGAIN_MS = 60_000;
const CONTAINERS_SHOWN = 10;
const LEFT_SHOWN = 10;

/** The same object for as long as the plan is the same. */
function usePlan(id: string): Data<Plan> {
  const { value, failure, reload } = useData(
    useClient<Loading>().addressOf("/v1/plans/{id}", { id }),
    Math.floor(Date.now() / AGAIN_MS),
  );
  const plan = value?.data ?? null;
  const same = useMemo(() => plan, [plan?.id, plan?.revision]);
  return { value: same, failure, reload };
}

type OfPlanProps = { readonly id: string; readonly children: (plan: Plan) => ComponentChildren };

export function OfPlan({ id, children }: OfPlanProps) {
  const { pages } = useProductPlace();
  const plan = usePlan(id);
  return (
    <Found of={plan} name="plan" back={<Link to={pages}>To the plans</Link>}>
      {children}
    </Found>
  );
}

export function PlanPage({ id }: { readonly id: string }) {
  return <OfPlan id={id}>{(found) => <PlanView plan={found} />}</OfPlan>;
}

function PlanView({ plan }: { readonly plan: Plan }) {
  const { pages, mayChange } = useProductPlace();
  const { summary } = plan;
  return (
    <>
      <Head
        title={nameOf(plan)}
        about={
          <>
            {typesOf(summary.containers)} · <Time at={plan.updated_at} full /> · revision{" "}
            {count(plan.revision)}
          </>
        }
      >
        <Link to={`${pages}/${plan.id}/print`} class="button">
          Print
        </Link>
        {mayChange && <Remove id={plan.id} />}
      </Head>
      <dl class="stats">
        <Stat name="Containers" value={count(summary.container_count)} />
        <Stat
          name="Pieces placed"
          value={count(summary.pieces_placed)}
          about={`of ${count(summary.pieces)}`}
        />
        <Stat
          name="Volume used"
          value={summary.volume_fill === null ? "–" : percent(summary.volume_fill)}
          about={cubicMetres(summary.volume_m3)}
        />
        <Stat name="Weight" value={kilograms(summary.weight_kg)} />
        <Stat
          name="Left behind"
          value={count(summary.pieces_left)}
          tone={summary.pieces_left > 0 ? "warn" : "none"}
          about={summary.pieces_left > 0 ? "see why below" : "everything is placed"}
        />
      </dl>
      {plan.left.length > 0 && <LeftBehind plan={plan} />}
      {plan.containers.length === 0 ? (
        <Section title="Containers">
          <Empty title="No piece fits">Nothing could be placed, so no container is used.</Empty>
        </Section>
      ) : (
        <Containers plan={plan} />
      )}
      <Timeline reference={plan.id} said={saidOf(plan)} none={null} />
    </>
  );
}

/** Revisions between the first and the last are known by what was raised for them. */
function saidOf({ created_at: created, updated_at: updated, revision }: Plan): readonly Milestone[] {
  const said = (name: string, at: string, of: number): Milestone => {
    const when = <Placed at={null} instant={at} />;
    return { key: name, at, is: "actual", name, where: `revision ${count(of)}`, when };
  };
  const made = said("Planned", created, 1);
  return revision === 1 ? [made] : [made, said("Planned again", updated, revision)];
}

function LeftBehind({ plan }: { readonly plan: Plan }) {
  return (
    <Section title="Left behind">
      <PagedTable
        of={plan.left}
        size={LEFT_SHOWN}
        what="lines"
        label="Left behind"
        keyOf={({ cargo, reason }) => `${cargo} ${reason}`}
        columns={[
          { name: "Cargo", isWide: true, of: ({ cargo }) => <bdi>{cargo}</bdi> },
          { name: "Pieces", isNumber: true, of: (one) => count(one.count) },
          { name: "Why", isWide: true, of: ({ reason }) => REASONS[reason] },
        ]}
      />
    </Section>
  );
}

/** The step that is being dragged changes faster than an address may. */
const ADDRESS_MS = 250;

type Seen = { readonly container: number; readonly look: Look; readonly step: number | null };

function useSeen(): readonly [Seen, (next: Seen) => void] {
  const { path, query } = usePlace();
  const step = query.get("step");
  const read: Seen = {
    container: Math.max(1, Math.floor(Number(query.get("container") ?? "1")) || 1),
    look: query.get("view") === "drawings" ? "drawings" : "3d",
    step: step === null || !/^\d{1,6}$/.test(step) ? null : Number(step),
  };
  const [seen, setSeen] = useState(read);
  const address = withQuery(path, {
    container: seen.container === 1 ? undefined : String(seen.container),
    view: seen.look === "3d" ? undefined : seen.look,
    step: seen.step === null ? undefined : String(seen.step),
  });
  useEffect(() => {
    const timer = setTimeout(() => go(address, true), ADDRESS_MS);
    return () => clearTimeout(timer);
  }, [address]);
  return [seen, setSeen];
}

function Containers({ plan }: { readonly plan: Plan }) {
  const [seen, setSeen] = useSeen();
  const at = Math.min(seen.container, plan.containers.length) - 1;
  const container = plan.containers[at]!;
  return (
    <>
      <Section title="Containers">
        <PagedTable
          of={plan.containers}
          size={CONTAINERS_SHOWN}
          what="containers"
          at={at}
          label="Containers"
          keyOf={({ number }) => String(number)}
          columns={[
            {
              name: "Container",
              of: (one) => (
                <RowButton
                  isCurrent={one === container}
                  onClick={() => setSeen({ ...seen, container: one.number, step: null })}
                >
                  <bdi>
                    {count(one.number)}: {one.type}
                  </bdi>
                </RowButton>
              ),
            },
            { name: "Pieces", isNumber: true, of: ({ pieces }) => count(pieces) },
            { name: "By volume", of: ({ volume_fill: fill }) => <Meter of={fill} /> },
            {
              name: "By weight",
              of: ({ weight_kg: weight, max_payload_kg: most }) => (
                <Meter of={most === 0 ? 1 : weight / most} />
              ),
            },
            { name: "Weight", isNumber: true, of: ({ weight_kg: weight }) => kilograms(weight) },
            {
              name: "Balance",
              of: (one) => {
                const balance = balanceOf(one);
                return balance === null ? "–" : <BalanceBadge isOff={balance.isOff} />;
              },
            },
            { name: "Limits", of: (one) => <LimitsBadge of={one} /> },
          ]}
        />
      </Section>
      <ContainerCard
        plan={plan}
        container={container}
        look={seen.look}
        step={seen.step}
        onChange={(part) => setSeen({ ...seen, ...part })}
      />
    </>
  );
}

function Remove({ id }: { readonly id: string }) {
  const { pages } = useProductPlace();
  const { ask } = useClient<Loading>();
  const { failure, isSending, run } = useAction();
  const remove = async () => {
    const answer = await ask("DELETE /v1/plans/{id}", { id });
    return answer.ok || answer.failure.status === 404 ? { ok: true as const, value: null } : answer;
  };
  return (
    <>
      {failure !== null && <Note kind="bad">{failure}</Note>}
      <Confirm
        name="Remove…"
        verb="Remove"
        about="Remove this plan for good?"
        isDisabled={isSending}
        onConfirm={() => void run(remove, () => go(pages))}
      />
    </>
  );
}
