/** What of the service is read when its page opens: broadcasts, polls by source, migrations. */
import { Shown, useData } from "../ui/data.tsx";
import { count } from "../ui/numbers.ts";
import { Badge, Empty, Note, Section, Table } from "../ui/parts.tsx";
import { Link } from "../ui/route.tsx";
import { Time } from "../ui/time.tsx";
import { addressOf } from "./answers.ts";
import { useLive } from "./live.ts";

export function Broadcasts() {
  const { tick } = useLive();
  const found = useData(addressOf("/v1/broadcasts"), tick);
  return (
    <Section title="Broadcasts">
      <Shown of={found}>
        {({ broadcasts }) =>
          broadcasts.length === 0 ? (
            <Empty title="None is under way">
              An event for every subscribed account appears here until all have it.
            </Empty>
          ) : (
            <Table
              label="Broadcasts"
              rows={broadcasts}
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
                    one.has_begun ? (
                      <Badge tone="info">Some have it</Badge>
                    ) : (
                      <Badge tone="none">Not begun</Badge>
                    ),
                },
              ]}
            />
          )
        }
      </Shown>
    </Section>
  );
}

export function PollSchedule() {
  const { tick } = useLive();
  const found = useData(addressOf("/v1/sources"), tick);
  const polled = found.value?.sources.filter((source) => source.is_polled) ?? [];
  return (
    <Section title="Schedule of polls" aside={<Link to="/console/sources">All sources</Link>}>
      <Shown of={found}>
        {() =>
          polled.length === 0 ? (
            <Empty title="No source is polled" />
          ) : (
            <Table
              label="Schedule of polls"
              rows={polled}
              keyOf={({ id }) => id}
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
            />
          )
        }
      </Shown>
    </Section>
  );
}

export function Migrations() {
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
