import { SampleBadge } from "../pages/states.tsx";
import { Json } from "../pages/text.tsx";
import { usePages } from "../ui/data.tsx";
import { ReferenceField, Search, TimeFilter, useFilter } from "../ui/fields.tsx";
import { Empty, Head, ShortId } from "../ui/parts.tsx";
import { ListSection, type Column } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { addressOf, type RaisedEvent } from "./answers.ts";
import { TypeChoice } from "./event-types.tsx";
import { useEventStream, useLive } from "./live.ts";

const COLUMNS: readonly Column<RaisedEvent>[] = [
  { name: "Raised", of: ({ created_at: at }) => <Time at={at} /> },
  {
    name: "Event",
    of: ({ type, data }) => (
      <>
        {type} <SampleBadge of={data} />
      </>
    ),
  },
  { name: "Id", of: ({ id }) => <ShortId of={id} /> },
  {
    name: "What happened",
    isWide: true,
    of: ({ type, data, summary }) => (
      <details>
        <summary>{summary ?? firstValues(data)}</summary>
        <Json label={`Data of ${type}`} of={data} />
      </details>
    ),
  },
];

const SUMMARY_LENGTH_MAX = 90;

/** The first of its plain values. */
function firstValues(data: object): string {
  const said = Object.entries(data)
    .filter(([name, value]) => name !== "sample" && value !== null && typeof value !== "object")
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ");
  if (said === "") return "Show";
  return said.length > SUMMARY_LENGTH_MAX ? `${said.slice(0, SUMMARY_LENGTH_MAX)}…` : said;
}

export function Events() {
  const { tick } = useLive();
  const { filter, isFiltered } = useFilter("reference", "type", "since", "until");
  const found = usePages(addressOf("/v1/events", filter), ({ data }) => data, tick);
  const isFollowing = useEventStream();
  return (
    <>
      <Head
        title="Events"
        about="What was raised for you in the last 30 days, whether or not an endpoint was active: read here what one missed."
      />
      <Search label="Events">
        <ReferenceField of={filter.reference} />
        <TypeChoice name="type" of={filter.type} />
        <TimeFilter of={filter} />
      </Search>
      <ListSection
        title="Raised events"
        aside={isFollowing ? "They appear as they are raised" : ""}
        of={found}
        columns={COLUMNS}
        none={
          isFiltered ? (
            <Empty title="No event matches">Widen the filter above.</Empty>
          ) : (
            <Empty title="Nothing was raised yet">
              An event appears here as soon as something happens to what you track.
            </Empty>
          )
        }
      />
    </>
  );
}
