import { BodyText } from "../pages/text.tsx";
import { Found, useData, usePages } from "../ui/data.tsx";
import { ReferenceField, Search, TimeFilter, useFilter } from "../ui/fields.tsx";
import { Empty, Head, Section, ShortId } from "../ui/parts.tsx";
import { Link } from "../ui/route.tsx";
import { ListSection, TableSection, type Column } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { addressOf, type DetailedEvent, type ListedEvent } from "./answers.ts";
import { ACCOUNT, ownerOf } from "./columns.tsx";
import { AccountField, OF_EVENT, SentBody, TypeField } from "./deliveries.tsx";
import { ProductSelect } from "./endpoints.tsx";
import { useLive } from "./live.ts";

const COLUMNS: readonly Column<ListedEvent>[] = [
  {
    name: "Event",
    of: ({ id }) => (
      <Link to={`/console/events/${id}`}>
        <ShortId of={id} />
      </Link>
    ),
  },
  { name: "Type", of: ({ type }) => type },
  { name: "What happened", isWide: true, of: ({ summary }) => summary ?? "" },
  { name: "Product", of: ({ product }) => product },
  ACCOUNT,
  { name: "Raised", of: ({ raised_at: at }) => <Time at={at} /> },
];

export function Events() {
  const { tick } = useLive();
  const { filter, isFiltered } = useFilter("reference", "product", "type", "account_id", "since", "until");
  const found = usePages(addressOf("/v1/events", { ...filter, limit: 100 }), ({ events }) => events, tick);
  return (
    <>
      <Head
        title="Events"
        about="What was raised, over all accounts, newest first, whether or not somebody got it."
      />
      <Search label="Events">
        <ReferenceField of={filter.reference} />
        <ProductSelect of={filter.product} />
        <TypeField of={filter.type} />
        <AccountField of={filter.account_id} />
        <TimeFilter of={filter} />
      </Search>
      <ListSection
        title="Found events"
        label="Events"
        of={found}
        columns={COLUMNS}
        none={
          <Empty title="No event matches">
            {isFiltered
              ? "Widen the filter above. Events are kept for 30 days unless a setting says otherwise."
              : "An event appears for each change of what a client tracks, and for each POST /v1/events."}
          </Empty>
        }
      />
    </>
  );
}

export function EventPage({ id }: { readonly id: string }) {
  const { tick } = useLive();
  const event = useData(addressOf("/v1/events/{id}", { id }), tick);
  return (
    <Found of={event} name="event">
      {(found) => (
        <>
          <Head title={found.type} about={found.summary ?? undefined}>
            <Link
              to={`/console/events?account_id=${found.account_id}&product=${found.product}&type=${encodeURIComponent(found.type)}`}
              class="button"
            >
              All of this type
            </Link>
          </Head>
          <Section
            title="Event"
            facts={[
              ["Id", <code key="id">{found.id}</code>],
              ...ownerOf(found),
              ["Raised", <Time key="raised" at={found.raised_at} full />],
              ["Occurred", <Time key="occurred" at={found.occurred_at} full />],
            ]}
          />
          <TableSection
            title="Its deliveries"
            rows={found.deliveries}
            columns={OF_EVENT}
            none={
              <Empty title="Nobody got it">
                No endpoint of the account was active and subscribed when it was raised. The client can read
                it with GET /v1/events.
              </Empty>
            }
          />
          <Sent of={found} />
        </>
      )}
    </Found>
  );
}

/** As the first of its deliveries carries it; the others differ in the delivery's id alone. */
function Sent({ of: { data, deliveries } }: { readonly of: DetailedEvent }) {
  const [first] = deliveries;
  if (first !== undefined) return <SentBody id={first.id} isOneOf={deliveries.length > 1} />;
  return (
    <Section title="Data as raised">
      <BodyText of={data} label="Data as raised" />
    </Section>
  );
}
