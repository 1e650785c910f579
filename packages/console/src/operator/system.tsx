import { useState } from "preact/hooks";

import { Shown, useData } from "../ui/data.tsx";
import { count } from "../ui/numbers.ts";
import { Badge, Empty, Facts, Head, Section, Table } from "../ui/parts.tsx";
import { zone } from "../ui/time.tsx";
import { addressOf, type Setting } from "./answers.ts";
import { useLive } from "./live.ts";
import { Cells, Nodes } from "./status-tables.tsx";
import { Broadcasts, Migrations, PollSchedule } from "./system-tables.tsx";

export function System() {
  const { status } = useLive();
  const backlog = status?.backlog ?? [];
  return (
    <>
      <Head title="System" about="The service itself: what runs, what waits, and how it is set up." />
      <Section title="Service">
        <Facts
          of={[
            ["Version", status?.version ?? "–"],
            ["Products", status?.products.join(", ") ?? "–"],
            ["Your time zone", zone],
          ]}
        />
      </Section>
      <Nodes status={status} isDescribed />
      <Cells status={status} />
      <Section title="Queue">
        {backlog.length === 0 ? (
          <Empty title="The queue is empty">A delivery that succeeds at once never enters it.</Empty>
        ) : (
          <Table
            label="Queue"
            rows={backlog}
            keyOf={({ product }) => product}
            columns={[
              { name: "Product", of: ({ product }) => product },
              { name: "Due", isNumber: true, of: ({ due }) => count(due) },
              { name: "Claimed by a node", isNumber: true, of: ({ claimed }) => count(claimed) },
              { name: "Waiting for a retry", isNumber: true, of: ({ waiting }) => count(waiting) },
              { name: "Parked", isNumber: true, of: ({ parked }) => count(parked) },
            ]}
          />
        )}
      </Section>
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
        <label class="check">
          <input type="checkbox" checked={isSetOnly} onChange={() => setIsSetOnly(!isSetOnly)} /> only those
          that are set
        </label>
      </div>
      <Shown of={settings}>
        {({ settings: all }) => {
          const rows = all.filter(matches);
          if (rows.length === 0) return <Empty title="No setting matches" />;
          return (
            <Table
              label="Settings"
              rows={rows}
              keyOf={({ name }) => name}
              columns={[
                { name: "Setting", of: ({ name }) => <code>{name}</code> },
                {
                  name: "Value",
                  isWide: true,
                  of: ({ value }) =>
                    value === null ? <span class="quiet">unset</span> : <code>{value}</code>,
                },
                {
                  name: "From",
                  of: ({ from }) =>
                    from === "environment" ? (
                      <Badge tone="info">Environment</Badge>
                    ) : (
                      <span class="quiet">Default</span>
                    ),
                },
                { name: "What it does", isWide: true, of: ({ about }) => about },
              ]}
            />
          );
        }}
      </Shown>
    </Section>
  );
}
