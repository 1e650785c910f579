/** The account's plans, newest first. */
import { useEffect } from "preact/hooks";

import { withQuery } from "../../ui/api.ts";
import { FailureNote, usePages } from "../../ui/data.tsx";
import { count } from "../../ui/numbers.ts";
import { Choice, Search, TextField, useFilter } from "../../ui/fields.tsx";
import { Badge, Empty, Head, Section } from "../../ui/parts.tsx";
import { changeQuery, go, Link } from "../../ui/route.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useClient, useProductPlace } from "../place.tsx";
import type { ListedPlan, Loading } from "./answers.ts";
import { Meter } from "./meter.tsx";
import { Pager } from "./paged.tsx";
import { isolated, kilograms, nameOf } from "./words.ts";

/** Of one answer; an account has a thousand plans at most. */
const ASKED = 100;
const SHOWN = 25;

const LEFT = [
  ["", "Any"],
  ["none", "All is placed"],
  ["some", "Some is left behind"],
] as const;

type Filter = { readonly name: string; readonly left: string };

function matches({ name, left }: Filter, plan: ListedPlan): boolean {
  const isNamed = nameOf(plan).toLowerCase().includes(name.toLowerCase()) || plan.id === name;
  const isLeft = plan.summary.pieces_left > 0;
  return isNamed && (left === "" || isLeft === (left === "some"));
}

export function PlanList() {
  const { pages, mayChange, tick } = useProductPlace();
  const { filter } = useFilter("name", "left", "page");
  const asked = Math.max(1, Math.floor(Number(filter.page)) || 1);
  const found = usePages(
    useClient<Loading>().addressOf("/v1/plans", { limit: ASKED }),
    ({ data }) => data,
    tick,
  );
  const matching = found.items?.filter((plan) => matches(filter, plan)) ?? [];
  const isMoreWanted = matching.length <= asked * SHOWN && found.more !== null && found.failure === null;
  const last = Math.max(1, Math.ceil(matching.length / SHOWN));
  const page = isMoreWanted ? asked : Math.min(asked, last);
  const first = (page - 1) * SHOWN;
  useEffect(() => {
    if (isMoreWanted) found.more?.();
  }, [isMoreWanted, found.items?.length]);
  const isFiltered = filter.name !== "" || filter.left !== "";
  const rows = matching.slice(first, first + SHOWN);
  return (
    <>
      <Head title="Load plans" about="Which containers take what, newest first.">
        {mayChange && (
          <Link to={`${pages}/new`} class="button">
            New plan
          </Link>
        )}
      </Head>
      <Search label="Plans">
        <TextField
          name="Name"
          of={filter.name}
          hint="part of a name, or an id"
          set={(name) => changeQuery({ name, page: "" })}
        />
        <Choice
          name="Left behind"
          of={filter.left}
          options={LEFT}
          set={(left) => changeQuery({ left, page: "" })}
        />
      </Search>
      {found.failure !== null && <FailureNote of={found.failure} />}
      <Section title="Plans">
        {(found.items === null || (rows.length === 0 && isMoreWanted)) && found.failure === null && (
          <p class="loading">Loading…</p>
        )}
        {found.items !== null && rows.length === 0 && !isMoreWanted && (
          <None isFiltered={isFiltered} mayChange={mayChange} />
        )}
        {rows.length > 0 && <PlanTable plans={rows} />}
        <Pager
          first={first}
          shown={rows.length}
          isLast={matching.length <= first + SHOWN}
          names={["Newer", "Older"]}
          turn={(by) => go(withQuery(pages, { ...filter, page: String(page + by) }))}
        />
      </Section>
    </>
  );
}

function None({ isFiltered, mayChange }: { readonly isFiltered: boolean; readonly mayChange: boolean }) {
  if (isFiltered) return <Empty title="No plan matches">Widen the filter above.</Empty>;
  return (
    <Empty title="There is no plan yet">
      {mayChange
        ? "Make the first with New plan, or POST /v1/plans."
        : "The client makes plans: POST /v1/plans."}
    </Empty>
  );
}

function PlanTable({ plans }: { readonly plans: readonly ListedPlan[] }) {
  const { pages } = useProductPlace();
  return (
    <Table
      label="Plans"
      rows={plans}
      columns={[
        {
          name: "Name",
          isWide: true,
          of: (plan) => (
            <Link to={`${pages}/${plan.id}`}>
              <bdi>{nameOf(plan)}</bdi>
            </Link>
          ),
        },
        { name: "Containers", isWide: true, of: ({ summary }) => <bdi>{typesOf(summary.containers)}</bdi> },
        { name: "Pieces", isNumber: true, of: ({ summary }) => count(summary.pieces_placed) },
        {
          name: "Left behind",
          of: ({ summary: { pieces_left: left } }) =>
            left === 0 ? <span class="quiet">–</span> : <Badge tone="warn">{count(left)} left</Badge>,
        },
        {
          name: "Volume used",
          of: ({ summary: { volume_fill: fill } }) => (fill === null ? "–" : <Meter of={fill} />),
        },
        { name: "Weight", isNumber: true, of: ({ summary }) => kilograms(summary.weight_kg) },
        { name: "Changed", of: ({ updated_at: at }) => <Time at={at} /> },
      ]}
    />
  );
}

export function typesOf(containers: ListedPlan["summary"]["containers"]): string {
  if (containers.length === 0) return "none";
  return containers.map(({ type, count: times }) => `${count(times)} × ${isolated(type)}`).join(", ");
}
