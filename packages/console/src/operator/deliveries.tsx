/** Deliveries over all accounts, and one of them. */
import { useState } from "preact/hooks";

import { deliveryColumns, DeliveryView, StatusChoice } from "../pages/delivery.tsx";
import { BodyText } from "../pages/text.tsx";
import { Found, Shown, useData, usePages } from "../ui/data.tsx";
import { ReferenceField, Search, TextField, TimeFilter, useFilter } from "../ui/fields.tsx";
import { Empty, Facts, Head, Note, Section } from "../ui/parts.tsx";
import { changeQuery, Link } from "../ui/route.tsx";
import { DataSection, ListSection } from "../ui/table.tsx";
import { addressOf, type Delivery, type DetailedEvent, type SignatureCheck } from "./answers.ts";
import { ACCOUNT, ENDPOINT, ownerOf } from "./columns.tsx";
import { useLive } from "./live.ts";

const addressOfDelivery = ({ id }: { readonly id: string }): string => `/console/deliveries/${id}`;

const COLUMNS = deliveryColumns<Delivery>(addressOfDelivery, [
  {
    name: "Event",
    of: ({ event_type: type, product }) => (
      <>
        {type} <span class="quiet">{product}</span>
      </>
    ),
  },
  ACCOUNT,
  ENDPOINT,
]);

export const OF_ENDPOINT = deliveryColumns<Delivery>(addressOfDelivery, [
  { name: "Event", of: ({ event_type: type }) => type },
]);

export const OF_EVENT = deliveryColumns<DetailedEvent["deliveries"][number]>(addressOfDelivery, [ENDPOINT]);

export function Deliveries() {
  const { tick } = useLive();
  const { filter, isFiltered } = useFilter(
    ...(["reference", "status", "type", "account_id", "endpoint_id", "since", "until"] as const),
  );
  const found = usePages(
    addressOf("/v1/deliveries", { ...filter, limit: 100 }),
    ({ deliveries }) => deliveries,
    tick,
  );
  return (
    <>
      <Head title="Deliveries" about="What was sent and what waits, over all accounts, newest first." />
      <Search label="Deliveries">
        <ReferenceField of={filter.reference} />
        <StatusChoice of={filter.status} />
        <TypeField of={filter.type} />
        <AccountField of={filter.account_id} />
        <TextField
          name="Endpoint"
          of={filter.endpoint_id}
          hint="id of an endpoint"
          set={(id) => changeQuery({ endpoint_id: id })}
        />
        <TimeFilter of={filter} />
      </Search>
      <ListSection
        title="Found deliveries"
        label="Deliveries"
        class="dense"
        of={found}
        columns={COLUMNS}
        none={
          <Empty title="No delivery matches">
            {isFiltered
              ? "Widen the filter above. Deliveries are kept for 30 days unless a setting says otherwise."
              : "A delivery appears for each event that is raised for an account with an active, subscribed endpoint."}
          </Empty>
        }
      />
    </>
  );
}

export function TypeField({ of }: { readonly of: string }) {
  return (
    <TextField name="Event type" of={of} hint="such as eta_changed" set={(type) => changeQuery({ type })} />
  );
}

export function AccountField({ of }: { readonly of: string }) {
  return (
    <TextField name="Account" of={of} hint="id of an account" set={(id) => changeQuery({ account_id: id })} />
  );
}

export function DeliveryPage({ id }: { readonly id: string }) {
  const { tick } = useLive();
  const delivery = useData(addressOf("/v1/deliveries/{id}", { id }), tick);
  return (
    <Found of={delivery} name="delivery">
      {(found) => (
        <DeliveryView
          of={found}
          facts={[
            ["Endpoint", ENDPOINT.of(found)],
            ...ownerOf(found),
            [
              "Event",
              <Link key="event" to={`/console/events/${found.event_id}`}>
                {found.event_id}
              </Link>,
            ],
          ]}
        >
          <SentBody id={id} />
          <Signature id={id} />
          <Others id={id} eventId={found.event_id} />
        </DeliveryView>
      )}
    </Found>
  );
}

type OthersProps = { readonly id: string; readonly eventId: string };

function Others({ id, eventId }: OthersProps) {
  const { tick } = useLive();
  const event = useData(addressOf("/v1/events/{id}", { id: eventId }), tick);
  return (
    <DataSection
      title="The event’s other deliveries"
      aside={<Link to={`/console/events/${eventId}`}>The event</Link>}
      of={event}
      rowsOf={({ deliveries }) => deliveries.filter((one) => one.id !== id)}
      columns={OF_EVENT}
      none={<Empty title="It has no other delivery" />}
    />
  );
}

/** What is signed, whether the service can sign it, and whether a signature that a receiver got is the right one. */
function Signature({ id }: { readonly id: string }) {
  const [received, setReceived] = useState("");
  const check = useData(addressOf("/v1/deliveries/{id}/signature", { id, signature: received }));
  return (
    <Section title="Signature">
      <Shown of={check}>{(found) => <Checked of={found} />}</Shown>
      <div class="filters">
        <TextField
          name="Signature that the receiver got"
          of={received}
          hint="sha256=…: checks it"
          set={setReceived}
        />
      </div>
    </Section>
  );
}

function Checked({ of }: { readonly of: SignatureCheck }) {
  if (of.problem !== null)
    return (
      <Note kind="bad" isStill>
        The service cannot sign this delivery: {of.problem}.
      </Note>
    );
  return (
    <>
      {of.received_verifies === null ? (
        <p>The signature verifies: the service has the key, and every attempt carries it.</p>
      ) : of.received_verifies ? (
        <Note kind="info">It verifies: the receiver got these bytes from here.</Note>
      ) : (
        <Note kind="warn">
          It does not verify. The receiver got another delivery, or checks a body that it has changed: the
          signature is over the bytes as they came.
        </Note>
      )}
      <Facts
        of={[
          ["Signed", `${of.signed}: ${of.signed_bytes.toLocaleString()} bytes`],
          ["By", of.algorithm],
          ["Header", <code key="header">{of.header}</code>],
          ["Value", <code key="value">{of.signature}</code>],
        ]}
      />
    </>
  );
}

type SentBodyProps = { readonly id: string; readonly isOneOf?: boolean };

/** `id`: of a delivery. */
export function SentBody({ id, isOneOf = false }: SentBodyProps) {
  const body = useData(addressOf("/v1/deliveries/{id}/body", { id }));
  return (
    <Section title="Body as sent" aside={isOneOf && "of the first delivery; the others differ in its id"}>
      <Shown of={body}>{(sent) => <BodyText of={sent.body} label="Body as sent" />}</Shown>
    </Section>
  );
}
