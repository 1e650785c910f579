import { Shown, useData } from "../ui/data.tsx";
import { count } from "../ui/numbers.ts";
import { Empty, Facts, Head, Note, Section, Table } from "../ui/parts.tsx";
import { Time } from "../ui/time.tsx";
import { addressOf, type Source } from "./answers.ts";
import { useLive } from "./live.ts";
import { KINDS, SourceBadge } from "./sources.tsx";
import { plural } from "./states.tsx";

type Channel = Source["channels"][number];

export function SourcePage({ id }: { readonly id: string }) {
  const { tick } = useLive();
  const source = useData(addressOf("/v1/sources/{id}", { id }), tick);
  return (
    <Shown of={source}>
      {(found) => (
        <>
          <Head
            title={found.title}
            badge={<SourceBadge of={found} />}
            about={`${KINDS[found.kind]} of ${found.product}. Its name and quota are as this node's files have them; what it answered is of all nodes.`}
          />
          <Why of={found} />
          <Polls of={found} />
          {found.channels.map((channel) => (
            <Way key={channel.name} of={channel} />
          ))}
          <Skipped of={found} />
        </>
      )}
    </Shown>
  );
}

function Why({ of }: { readonly of: Source }) {
  if (of.waits !== null)
    return (
      <Note kind="warn" isStill>
        It is not asked until <Time at={of.waits.until} full />. {of.waits.text}
      </Note>
    );
  if (of.state !== "failing" || of.last === null) return null;
  return (
    <Note kind="bad" isStill>
      <code>{of.last.outcome}</code> {of.last.text}
    </Note>
  );
}

function Polls({ of: { polls, is_polled: isPolled } }: { readonly of: Source }) {
  if (!isPolled) return null;
  return (
    <Section title="Polls">
      <Facts
        of={[
          ["Next", <Time key="next" at={polls.next_at} none="none is scheduled" full />],
          ["Scheduled", count(polls.scheduled)],
          ["Due now", count(polls.due)],
        ]}
      />
      {polls.failures.length > 0 && (
        <Table
          label="Why polls failed last"
          rows={polls.failures}
          keyOf={({ failure }) => failure}
          columns={[
            { name: "Failed last with", isWide: true, of: ({ failure }) => <code>{failure}</code> },
            { name: "Polls", isNumber: true, of: (one) => count(one.polls) },
          ]}
        />
      )}
    </Section>
  );
}

function Way({ of }: { readonly of: Channel }) {
  const { last, failure } = of;
  return (
    <Section title={of.about}>
      <Facts
        of={[
          [
            of.is_pushed ? "Last push" : "Last asked",
            <Time key="last" at={last?.at ?? null} none="never" full />,
          ],
          ["About", last?.subject ?? "–"],
          ["Outcome", last === null ? "–" : last.text],
          ["Last answer", <Time key="answer" at={of.answered_at} none="none yet" full />],
          [
            "Last failure",
            failure === null ? (
              "none"
            ) : (
              <span key="failure">
                <Time at={of.failed_at} full /> <code>{failure.code}</code> {failure.text}
              </span>
            ),
          ],
          [
            of.is_pushed ? "Pushes" : "Requests",
            of.counted_since === null ? (
              "none"
            ) : (
              <span key="requests">
                {count(of.requests)}, {count(of.failures)} of them failed, since{" "}
                <Time at={of.counted_since} />
              </span>
            ),
          ],
          ...(of.is_pushed ? [] : [["Quota", <Quota key="quota" of={of.quota} />] as const]),
        ]}
      />
    </Section>
  );
}

function Quota({ of }: { readonly of: Channel["quota"] }) {
  if (of.length === 0)
    return <span class="quiet">none in its entry: nothing but its answers bounds requests</span>;
  return (
    <ul class="lines">
      {of.map(({ per, limit, used, is_shared: isShared }) => (
        <li key={per}>
          {count(used)} of {plural(limit, "request", "requests")} a {per} used{" "}
          <span class="quiet">{isShared ? "of all nodes, several of which ask now" : "of all nodes"}</span>
        </li>
      ))}
    </ul>
  );
}

function Skipped({ of }: { readonly of: Source }) {
  const rows = of.channels.flatMap(({ name, about, skipped }) =>
    skipped.map((one) => ({ ...one, about, key: `${name} ${one.reason}` })),
  );
  return (
    <Section title="What could not be read">
      {rows.length === 0 ? (
        <Empty title="Nothing in the last 30 days" />
      ) : (
        <Table
          label="What could not be read"
          rows={rows}
          keyOf={({ key }) => key}
          columns={[
            { name: "Reason", isWide: true, of: ({ reason }) => reason },
            { name: "Count", isNumber: true, of: (one) => count(one.count) },
            { name: "Last", of: (one) => <Time at={one.last_at} /> },
            { name: "Way", of: ({ about }) => about },
            { name: "Such as", isWide: true, of: ({ example }) => example },
          ]}
        />
      )}
    </Section>
  );
}
