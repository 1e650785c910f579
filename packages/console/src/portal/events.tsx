import { ShortId } from "../operator/states.tsx";
import { withQuery } from "../ui/api.ts";
import { Listed, usePages } from "../ui/data.tsx";
import { Badge, Empty, Head, Section, Table, type Column } from "../ui/parts.tsx";
import { go, usePlace } from "../ui/route.tsx";
import { Time } from "../ui/time.tsx";
import { addressOf, type RaisedEvent } from "./answers.ts";
import { useEventTypes } from "./endpoint-form.tsx";
import { useEventStream } from "./event-stream.ts";
import { askAgain, useLive } from "./live.ts";
import { Json } from "./pieces.tsx";
import { PAGES } from "./place.ts";

const COLUMNS: readonly Column<RaisedEvent>[] = [
  { name: "Raised", of: ({ created_at: at }) => <Time at={at} /> },
  {
    name: "Event",
    of: ({ type, data }) => (
      <>
        {type} {"sample" in data && data.sample === true && <Badge tone="none">sample</Badge>}
      </>
    ),
  },
  { name: "Id", of: ({ id }) => <ShortId of={id} /> },
  {
    name: "Data",
    isWide: true,
    of: ({ type, data }) => (
      <details>
        <summary>{summaryOf(data)}</summary>
        <Json label={`Data of ${type}`} of={data} />
      </details>
    ),
  },
];

const SUMMARY_LENGTH_MAX = 90;

/** The first of its plain values. */
function summaryOf(data: object): string {
  const said = Object.entries(data)
    .filter(([name, value]) => name !== "sample" && value !== null && typeof value !== "object")
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ");
  if (said === "") return "Show";
  return said.length > SUMMARY_LENGTH_MAX ? `${said.slice(0, SUMMARY_LENGTH_MAX)}…` : said;
}

export function Events() {
  const { query } = usePlace();
  const { tick } = useLive();
  const types = useEventTypes();
  const filter = { type: query.get("type") ?? "", day: query.get("day") ?? "" };
  const [since, until] = daysOf(filter.day);
  const found = usePages(
    addressOf("/v1/events", { type: filter.type, since, until }),
    ({ data }) => data,
    tick,
  );
  const isFollowing = useEventStream(askAgain);
  const change = (part: Partial<typeof filter>): void =>
    go(withQuery(`${PAGES}/events`, { ...filter, ...part }), true);
  return (
    <>
      <Head
        title="Events"
        about="What was raised for you in the last 30 days, whether or not an endpoint was active: read here what one missed."
      />
      <form class="filters" role="search" aria-label="Events" onSubmit={(event) => event.preventDefault()}>
        <label>
          Event
          <select value={filter.type} onChange={({ currentTarget }) => change({ type: currentTarget.value })}>
            <option value="">any</option>
            {types.value?.data.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Day
          <input
            type="date"
            value={filter.day}
            onChange={({ currentTarget }) => change({ day: currentTarget.value })}
          />
        </label>
      </form>
      <Section
        title="Raised events"
        aside={<span class="quiet">{isFollowing ? "They appear as they are raised" : ""}</span>}
      >
        <Listed
          of={found}
          empty={
            <Empty
              title={filter.type === "" && filter.day === "" ? "Nothing was raised yet" : "No event matches"}
            >
              {found.more !== null
                ? "None among the newest; older ones may match: go on below."
                : filter.type === "" && filter.day === ""
                  ? "An event appears here as soon as something happens to what you track."
                  : "Widen the filter above."}
            </Empty>
          }
        >
          {(rows, isCut) => (
            <Table label="Raised events" rows={rows} isCut={isCut} columns={COLUMNS} keyOf={({ id }) => id} />
          )}
        </Listed>
      </Section>
    </>
  );
}

/** From the day's first moment in the reader's zone to the next one's. */
function daysOf(day: string): readonly [since: string | undefined, until: string | undefined] {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const [from, to] = [new Date(year, month - 1, date), new Date(year, month - 1, date + 1)];
  if (day === "" || Number.isNaN(from.getTime())) return [undefined, undefined];
  return [from.toISOString(), to.toISOString()];
}
