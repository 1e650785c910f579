import { Shown, useData } from "../ui/data.tsx";
import { count } from "../ui/numbers.ts";
import { Badge, Empty, Head, Section, Table, type Column, type Tone } from "../ui/parts.tsx";
import { Link } from "../ui/route.tsx";
import { Time } from "../ui/time.tsx";
import { addressOf, type Source } from "./answers.ts";
import { useLive } from "./live.ts";

export const KINDS: Readonly<Record<Source["kind"], string>> = {
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

export function SourceBadge({ of }: { readonly of: Pick<Source, "state"> }) {
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
      <Section title="All sources">
        <Shown of={found}>
          {({ sources }) =>
            sources.length === 0 ? (
              <Empty title="No source">
                Name carriers in BOATHOOK_CARRIERS_FILE, airlines in BOATHOOK_AIRLINES_FILE, feeds in
                BOATHOOK_SCHEDULES_FILE.
              </Empty>
            ) : (
              <Table label="Sources" rows={sources} keyOf={({ id }) => id} columns={COLUMNS} />
            )
          }
        </Shown>
      </Section>
    </>
  );
}
