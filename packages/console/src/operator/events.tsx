import { usePages } from "../ui/data.tsx";
import { count } from "../ui/numbers.ts";
import { Head, Table, type Column } from "../ui/parts.tsx";
import { changeQuery, Link, usePlace } from "../ui/route.tsx";
import { Time } from "../ui/time.tsx";
import { addressOf, type ListedEvent } from "./answers.ts";
import { ProductSelect } from "./endpoints.tsx";
import { IdField, TextField } from "./fields.tsx";
import { Found } from "./found.tsx";
import { useLive } from "./live.ts";
import { AccountLink, ShortId } from "./states.tsx";
import { TimeFilter } from "./time-filter.tsx";

const COLUMNS: readonly Column<ListedEvent>[] = [
  {
    name: "Event",
    of: ({ id }) => (
      <Link to={`/console/events/${id}`}>
        <ShortId of={id} />
      </Link>
    ),
  },
  { name: "Type", isWide: true, of: ({ type }) => type },
  { name: "Product", of: ({ product }) => product },
  { name: "Account", of: (event) => <AccountLink of={event} /> },
  { name: "Raised", of: ({ raised_at: at }) => <Time at={at} /> },
  { name: "Occurred", of: ({ occurred_at: at }) => <Time at={at} /> },
  { name: "Bytes", isNumber: true, of: ({ data_bytes: bytes }) => count(bytes) },
];

export function Events() {
  const { query } = usePlace();
  const { tick } = useLive();
  const filter = {
    product: query.get("product") ?? "",
    type: query.get("type") ?? "",
    account_id: query.get("account_id") ?? "",
    since: query.get("since") ?? "",
    until: query.get("until") ?? "",
  };
  const found = usePages(addressOf("/v1/events", { ...filter, limit: 100 }), ({ events }) => events, tick);
  const isFiltered = Object.values(filter).some((value) => value !== "");
  return (
    <>
      <Head
        title="Events"
        about="What was raised, over all accounts, newest first, whether or not somebody got it."
      />
      <form class="filters" role="search" aria-label="Events" onSubmit={(event) => event.preventDefault()}>
        <IdField name="Event" to="/console/events" />
        <ProductSelect value={filter.product} onChange={(product) => changeQuery({ product })} />
        <TextField
          name="Event type"
          of={filter.type}
          hint="such as eta_changed"
          set={(type) => changeQuery({ type })}
        />
        <TextField
          name="Account"
          of={filter.account_id}
          hint="id of an account"
          set={(id) => changeQuery({ account_id: id })}
        />
        <TimeFilter since={filter.since} until={filter.until} change={changeQuery} />
      </form>
      <Found
        title="Found events"
        of={found}
        none="No event matches"
        hint={
          isFiltered
            ? "Widen the filter above. Events are kept for 30 days unless a setting says otherwise."
            : "An event appears for each change of what a client tracks, and for each POST /v1/events."
        }
      >
        {(events, isCut) => (
          <Table label="Events" rows={events} isCut={isCut} keyOf={({ id }) => id} columns={COLUMNS} />
        )}
      </Found>
    </>
  );
}
