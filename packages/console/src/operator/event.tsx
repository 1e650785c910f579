import { Shown, useData } from "../ui/data.tsx";
import { Empty, Facts, Head, Section, Table, type Column } from "../ui/parts.tsx";
import { Link } from "../ui/route.tsx";
import { Time } from "../ui/time.tsx";
import { addressOf, type DetailedEvent } from "./answers.ts";
import { BodyText } from "./body-text.tsx";
import { useLive } from "./live.ts";
import { DeliveryBadge, ErrorText, ShortId } from "./states.tsx";

type Delivery = DetailedEvent["deliveries"][number];

export function EventPage({ id }: { readonly id: string }) {
  const { tick } = useLive();
  const event = useData(addressOf("/v1/events/{id}", { id }), tick);
  return (
    <Shown of={event}>
      {(found) => (
        <>
          <Head title={found.type} about={<code>{found.id}</code>}>
            <Link
              to={`/console/events?account_id=${found.account_id}&product=${found.product}&type=${encodeURIComponent(found.type)}`}
              class="button"
            >
              All of this type
            </Link>
          </Head>
          <Section title="Event">
            <Facts
              of={[
                [
                  "Account",
                  <Link key="account" to={`/console/accounts/${found.account_id}`}>
                    {found.account_name ?? found.account_id}
                  </Link>,
                ],
                ["Product", found.product],
                ["Raised", <Time key="raised" at={found.raised_at} full />],
                ["Occurred", <Time key="occurred" at={found.occurred_at} full />],
              ]}
            />
          </Section>
          <Section title="Its deliveries">
            {found.deliveries.length === 0 ? (
              <Empty title="Nobody got it">
                No endpoint of the account was active and subscribed when it was raised. The client can read
                it with GET /v1/events.
              </Empty>
            ) : (
              <EventDeliveries of={found.deliveries} label="Its deliveries" />
            )}
          </Section>
          <Sent of={found} />
        </>
      )}
    </Shown>
  );
}

/** As the first of its deliveries carries it; the others differ in the delivery's id alone. */
function Sent({ of: { data, deliveries } }: { readonly of: DetailedEvent }) {
  const [first] = deliveries;
  if (first === undefined)
    return (
      <Section title="Data as raised">
        <BodyText of={data} label="Data as raised" />
      </Section>
    );
  return <SentBody id={first.id} isOneOf={deliveries.length > 1} />;
}

function SentBody({ id, isOneOf }: { readonly id: string; readonly isOneOf: boolean }) {
  const body = useData(addressOf("/v1/deliveries/{id}/body", { id }));
  return (
    <Section
      title="Body as sent"
      aside={isOneOf && <span class="quiet">of the first delivery; the others differ in its id</span>}
    >
      <Shown of={body}>{(sent) => <BodyText of={sent.body} label="Body as sent" />}</Shown>
    </Section>
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  { name: "State", of: (delivery) => <DeliveryBadge of={delivery} /> },
  {
    name: "Delivery",
    of: ({ id }) => (
      <Link to={`/console/deliveries/${id}`}>
        <ShortId of={id} />
      </Link>
    ),
  },
  {
    name: "Endpoint",
    isWide: true,
    of: ({ endpoint_id: id, url }) => <Link to={`/console/endpoints/${id}`}>{url ?? "removed since"}</Link>,
  },
  { name: "Attempts", isNumber: true, of: ({ attempt_count: attempts }) => attempts },
  {
    name: "Outcome",
    isWide: true,
    of: ({ delivered_at: at, last_error: error }) =>
      at === null ? <ErrorText of={error} /> : <Time at={at} />,
  },
];

type EventDeliveriesProps = { readonly of: readonly Delivery[]; readonly label: string };

export function EventDeliveries({ of, label }: EventDeliveriesProps) {
  return <Table label={label} rows={of} keyOf={({ id }) => id} columns={COLUMNS} />;
}
