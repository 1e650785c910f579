/** What is asked outside, and what it answered. */
import { Found, useData } from "../ui/data.tsx";
import { count, plural } from "../ui/numbers.ts";
import { Badge, Empty, Head, Note, Section, type Tone } from "../ui/parts.tsx";
import { Link } from "../ui/route.tsx";
import { type Column, DataSection, Table, TableSection } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { addressOf, type Source } from "./answers.ts";
import { useLive } from "./live.ts";

const KINDS: Readonly<Record<Source["kind"], string>> = {
  carrier: "Carrier",
  vessel_reports: "Vessel reports",
  airline: "Airline",
  schedules: "Schedules",
  rates: "Rates",
};

const STATES: Readonly<Record<Source["state"], readonly [Tone, string]>> = {
  well: ["good", "Well"],
  failing: ["bad", "Failing"],
  waiting: ["warn", "Waiting"],
  silent: ["none", "Not heard yet"],
};

function SourceBadge({ of }: { readonly of: Pick<Source, "state"> }) {
  const [tone, name] = STATES[of.state];
  return <Badge tone={tone}>{name}</Badge>;
}

const COLUMNS: readonly Column<Source>[] = [
  { name: "State", of: (source) => <SourceBadge of={source} /> },
  {
    name: "Source",
    isWide: true,
    of: ({ id, title }) => <Link to={`/console/sources/${id}`}>{title}</Link>,
  },
  { name: "Kind", of: ({ kind }) => KINDS[kind] },
  { name: "Last heard", of: ({ last }) => <Time at={last?.at ?? null} none="never" /> },
  {
    name: "Outcome",
    isWide: true,
    of: ({ last, waits }) =>
      waits === null ? (
        (last?.text ?? <span class="quiet">–</span>)
      ) : (
        <>
          {waits.text} Until <Time at={waits.until} />
        </>
      ),
  },
  { name: "Due polls", isNumber: true, of: ({ polls }) => (polls.due === 0 ? "–" : count(polls.due)) },
  { name: "Skipped", isNumber: true, of: ({ skipped }) => (skipped === 0 ? "–" : count(skipped)) },
];

export function Sources() {
  const { tick } = useLive();
  const found = useData(addressOf("/v1/sources"), tick);
  return (
    <>
      <Head
        title="Sources"
        about="Carriers, airlines and feeds, as the files of this node name them. What they answered is of all nodes."
      />
      <DataSection
        title="All sources"
        label="Sources"
        of={found}
        rowsOf={({ sources }) => sources}
        columns={COLUMNS}
        none={
          <Empty title="No source">
            Name carriers in BOATHOOK_CARRIERS_FILE, airlines in BOATHOOK_AIRLINES_FILE, feeds in
            BOATHOOK_SCHEDULES_FILE.
          </Empty>
        }
      />
    </>
  );
}

type Channel = Source["channels"][number];

export function SourcePage({ id }: { readonly id: string }) {
  const { tick } = useLive();
  const source = useData(addressOf("/v1/sources/{id}", { id }), tick);
  return (
    <Found of={source} name="source">
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
    </Found>
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
    <Section
      title="Polls"
      facts={[
        ["Next", <Time key="next" at={polls.next_at} none="none is scheduled" full />],
        ["Scheduled", count(polls.scheduled)],
        ["Due now", count(polls.due)],
      ]}
    >
      {polls.failures.length > 0 && (
        <Table
          label="Why polls failed last"
          rows={polls.failures}
          keyOf={({ failure }) => failure}
          columns={[
            {
              name: "Failed last with",
              isWide: true,
              of: ({ failure, text }) => (
                <>
                  <code>{failure}</code> {text}
                </>
              ),
            },
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
    <Section
      title={of.about}
      facts={[
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
              {count(of.requests)}, {count(of.failures)} of them failed, since <Time at={of.counted_since} />
            </span>
          ),
        ],
        ...(of.is_pushed ? [] : [["Quota", <Quota key="quota" of={of.quota} />] as const]),
      ]}
    />
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
    skipped.map((one) => ({ ...one, about, id: `${name} ${one.reason}` })),
  );
  return (
    <TableSection
      title="What could not be read"
      rows={rows}
      columns={[
        { name: "Reason", isWide: true, of: ({ reason }) => reason },
        { name: "Count", isNumber: true, of: (one) => count(one.count) },
        { name: "Last", of: (one) => <Time at={one.last_at} /> },
        { name: "Way", of: ({ about }) => about },
        { name: "Such as", isWide: true, of: ({ example }) => example },
      ]}
      none={<Empty title="Nothing in the last 30 days" />}
    />
  );
}
