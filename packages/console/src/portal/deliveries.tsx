import { DeliveryBadge, ErrorText, ShortId } from "../operator/states.tsx";
import { withQuery } from "../ui/api.ts";
import { Listed, usePages } from "../ui/data.tsx";
import { Empty, Section, Table, type Column } from "../ui/parts.tsx";
import { go, Link, usePlace } from "../ui/route.tsx";
import { Time } from "../ui/time.tsx";
import { addressOf, type Delivery } from "./answers.ts";
import { useEventTypes } from "./endpoint-form.tsx";
import { useLive } from "./live.ts";
import { PAGES } from "./place.ts";

const STATUSES = ["pending", "delivered", "dead"] as const;
const PAGE = 20;

/** An endpoint's deliveries, newest first, by status and type. */
export function Deliveries({ endpointId }: { readonly endpointId: string }) {
  const { query } = usePlace();
  const { tick } = useLive();
  const types = useEventTypes();
  const filter = { status: query.get("status") ?? "", event_type: query.get("event_type") ?? "" };
  const columns = columnsOf(endpointId);
  const found = usePages(
    addressOf("/v1/webhooks/{id}/deliveries", { id: endpointId, limit: PAGE, ...filter }),
    ({ data }) => data,
    tick,
  );
  const change = (part: Partial<typeof filter>): void =>
    go(withQuery(`${PAGES}/endpoints/${endpointId}`, { ...filter, ...part }), true);
  const isFiltered = filter.status !== "" || filter.event_type !== "";
  return (
    <Section title="Deliveries">
      <form
        class="filters"
        role="search"
        aria-label="Deliveries"
        onSubmit={(event) => event.preventDefault()}
      >
        <label>
          Status
          <select
            value={filter.status}
            onChange={({ currentTarget }) => change({ status: currentTarget.value })}
          >
            <option value="">any</option>
            {STATUSES.map((status) => (
              <option key={status}>{status}</option>
            ))}
          </select>
        </label>
        <label>
          Event
          <select
            value={filter.event_type}
            onChange={({ currentTarget }) => change({ event_type: currentTarget.value })}
          >
            <option value="">any</option>
            {types.value?.data.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </form>
      <Listed
        of={found}
        empty={
          <Empty title={isFiltered ? "No delivery matches" : "Nothing has been sent here yet"}>
            {isFiltered
              ? found.more === null
                ? "Widen the filter above."
                : "None among the newest; older ones may match: go on below."
              : "Send a ping above, or wait for an event: it is sent within seconds."}
          </Empty>
        }
      >
        {(rows, isCut) => (
          <Table label="Deliveries" rows={rows} isCut={isCut} keyOf={({ id }) => id} columns={columns} />
        )}
      </Listed>
    </Section>
  );
}

function columnsOf(endpointId: string): readonly Column<Delivery>[] {
  return [
    { name: "State", of: (delivery) => <DeliveryBadge of={delivery} /> },
    {
      name: "Event",
      of: ({ id, event_type: type }) => (
        <Link to={`${PAGES}/endpoints/${endpointId}/deliveries/${id}`}>{type}</Link>
      ),
    },
    { name: "Delivery", of: ({ id }) => <ShortId of={id} /> },
    { name: "Created", of: ({ created_at: at }) => <Time at={at} /> },
    { name: "Attempts", isNumber: true, of: ({ attempt_count: attempts }) => attempts },
    {
      name: "Outcome",
      isWide: true,
      of: ({ delivered_at: at, last_error: error, next_attempt_at: next, parked_until: until }) =>
        at !== null ? (
          <Time at={at} />
        ) : (
          <>
            <ErrorText of={error} />
            {(until ?? next) !== null && (
              <span class="quiet">
                {" "}
                {until === null ? "Next attempt" : "Waits until"} <Time at={until ?? next} />
              </span>
            )}
          </>
        ),
    },
  ];
}
