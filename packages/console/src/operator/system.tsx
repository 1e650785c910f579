/** The service itself. */
import { useState } from "preact/hooks";

import { Shown, useData } from "../ui/data.tsx";
import { Check } from "../ui/fields.tsx";
import { count } from "../ui/numbers.ts";
import { Badge, Empty, Head, Note, Section } from "../ui/parts.tsx";
import { Link } from "../ui/route.tsx";
import { type Column, DataSection, Table, TableSection } from "../ui/table.tsx";
import { Time, zone } from "../ui/time.tsx";
import { addressOf, type Setting } from "./answers.ts";
import { useLive } from "./live.ts";
import { Cells, Nodes } from "./status-tables.tsx";

export function System() {
  const { status } = useLive();
  return (
    <>
      <Head title="System" about="The service itself: what runs, what waits, and how it is set up." />
      <Section
        title="Service"
        facts={[
          ["Version", status?.version ?? "–"],
          ["Products", status?.products.join(", ") ?? "–"],
          ["Your time zone", zone],
        ]}
      />
      <Nodes status={status} isDescribed />
      <Cells status={status} />
      <TableSection
        title="Queue"
        rows={status?.backlog ?? []}
        keyOf={({ product }) => product}
        columns={[
          { name: "Product", of: ({ product }) => product },
          { name: "Due", isNumber: true, of: ({ due }) => count(due) },
          { name: "Claimed by a node", isNumber: true, of: ({ claimed }) => count(claimed) },
          { name: "Waiting for a retry", isNumber: true, of: ({ waiting }) => count(waiting) },
          { name: "Parked", isNumber: true, of: ({ parked }) => count(parked) },
        ]}
        none={<Empty title="The queue is empty">A delivery that succeeds at once never enters it.</Empty>}
      />
      <div class="columns">
        <PollSchedule />
        <Broadcasts />
      </div>
      <Migrations />
      <Settings />
    </>
  );
}

function Settings() {
  const settings = useData(addressOf("/v1/settings"));
  const [text, setText] = useState("");
  const [isSetOnly, setIsSetOnly] = useState(false);
  const matches = ({ name, about, from }: Setting): boolean =>
    (!isSetOnly || from === "environment") &&
    `${name} ${about}`.toLowerCase().includes(text.trim().toLowerCase());
  return (
    <Section title="Settings">
      <div class="filters">
        <label class="grow">
          Find a setting
          <input type="search" value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
        </label>
        <Check of={isSetOnly} set={setIsSetOnly}>
          only those that are set
        </Check>
      </div>
      <Shown of={settings}>
        {({ settings: all }) => {
          const rows = all.filter(matches);
          if (rows.length === 0) return <Empty title="No setting matches" />;
          return <Table label="Settings" rows={rows} keyOf={({ name }) => name} columns={SETTING} />;
        }}
      </Shown>
    </Section>
  );
}

const SETTING: readonly Column<Setting>[] = [
  { name: "Setting", of: ({ name }) => <code>{name}</code> },
  {
    name: "Value",
    isWide: true,
    of: ({ value }) => (value === null ? <span class="quiet">unset</span> : <code>{value}</code>),
  },
  {
    name: "From",
    of: ({ from }) =>
      from === "environment" ? <Badge tone="info">Environment</Badge> : <span class="quiet">Default</span>,
  },
  { name: "What it does", isWide: true, of: ({ about }) => about },
];

function Broadcasts() {
  const { tick } = useLive();
  return (
    <DataSection
      title="Broadcasts"
      of={useData(addressOf("/v1/broadcasts"), tick)}
      rowsOf={({ broadcasts }) => broadcasts}
      keyOf={({ cell, product, type }) => `${cell} ${product} ${type}`}
      columns={[
        { name: "Type", isWide: true, of: ({ type }) => type },
        { name: "Product", of: ({ product }) => product },
        { name: "Cell", of: ({ cell }) => cell },
        { name: "Under way", isNumber: true, of: (one) => count(one.broadcasts) },
        { name: "Oldest", of: (one) => <Time at={one.oldest_at} /> },
        {
          name: "State",
          of: (one) =>
            one.has_begun ? <Badge tone="info">Some have it</Badge> : <Badge tone="none">Not begun</Badge>,
        },
      ]}
      none={
        <Empty title="None is under way">
          An event for every subscribed account appears here until all have it.
        </Empty>
      }
    />
  );
}

function PollSchedule() {
  const { tick } = useLive();
  return (
    <DataSection
      title="Schedule of polls"
      aside={<Link to="/console/sources">All sources</Link>}
      of={useData(addressOf("/v1/sources"), tick)}
      rowsOf={({ sources }) => sources.filter((source) => source.is_polled)}
      columns={[
        {
          name: "Source",
          isWide: true,
          of: ({ id, title }) => <Link to={`/console/sources/${id}`}>{title}</Link>,
        },
        { name: "Next", of: ({ polls }) => <Time at={polls.next_at} none="none" /> },
        { name: "Due", isNumber: true, of: ({ polls }) => count(polls.due) },
        { name: "Scheduled", isNumber: true, of: ({ polls }) => count(polls.scheduled) },
        { name: "Waits until", of: ({ waits }) => <Time at={waits?.until ?? null} /> },
      ]}
      none={<Empty title="No source is polled" />}
    />
  );
}

function Migrations() {
  const found = useData(addressOf("/v1/migrations"));
  return (
    <Section title="Migrations">
      <Shown of={found}>
        {({ schemas, unavailable_cells: unavailable }) => (
          <>
            {unavailable.length > 0 && (
              <Note kind="warn" isStill>
                These cells do not answer: {unavailable.join(", ")}.
              </Note>
            )}
            <Table
              label="Migrations"
              rows={schemas}
              keyOf={({ name }) => name}
              columns={[
                { name: "Schema", of: ({ name }) => name },
                { name: "Ran", isNumber: true, of: ({ ran }) => count(ran.length) },
                { name: "Last", isWide: true, of: ({ ran }) => <code>{ran.at(-1)?.name ?? "–"}</code> },
                { name: "When", of: ({ ran }) => <Time at={ran.at(-1)?.at ?? null} /> },
                {
                  name: "Lacks",
                  isWide: true,
                  of: ({ lacks }) =>
                    lacks.length === 0 ? (
                      <Badge tone="good">Nothing</Badge>
                    ) : (
                      <Badge tone="bad">{lacks.join(", ")}</Badge>
                    ),
                },
              ]}
            />
            <details>
              <summary>All of the directory and its cells</summary>
              <Table
                label="All migrations"
                rows={schemas.flatMap(({ name: schema, ran }) => ran.map((one) => ({ ...one, schema })))}
                keyOf={({ schema, name }) => `${schema} ${name}`}
                columns={[
                  { name: "Schema", of: ({ schema }) => schema },
                  { name: "Migration", isWide: true, of: ({ name }) => <code>{name}</code> },
                  { name: "Ran", of: ({ at }) => <Time at={at} full /> },
                ]}
              />
            </details>
          </>
        )}
      </Shown>
    </Section>
  );
}
