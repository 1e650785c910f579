import { Shown, useData } from "../ui/data.tsx";
import { Empty, Facts, Head, Note, Section } from "../ui/parts.tsx";
import { Link } from "../ui/route.tsx";
import { spanOf, Time } from "../ui/time.tsx";
import { addressOf, type Attempt, type DetailedDelivery } from "./answers.ts";
import { BodyText } from "./body-text.tsx";
import { EventDeliveries } from "./event.tsx";
import { useLive } from "./live.ts";
import { Signature } from "./signature.tsx";
import { DeliveryBadge, ErrorText, plural } from "./states.tsx";

export function DeliveryPage({ id }: { readonly id: string }) {
  const { tick } = useLive();
  const delivery = useData(addressOf("/v1/deliveries/{id}", { id }), tick);
  const body = useData(addressOf("/v1/deliveries/{id}/body", { id }));
  return (
    <Shown of={delivery}>
      {(found) => (
        <>
          <Head
            title={found.event_type}
            badge={<DeliveryBadge of={found} />}
            about={<code>{found.id}</code>}
          />
          <State of={found} />
          <div class="columns">
            <Section title="Delivery">
              <DeliveryFacts of={found} />
            </Section>
            <Section title="What happened">
              <Steps of={found} />
            </Section>
          </div>
          <Section title="Body as sent">
            <Shown of={body}>{(sent) => <BodyText of={sent.body} label="Body as sent" />}</Shown>
          </Section>
          <Signature id={id} />
          <Others of={found} />
        </>
      )}
    </Shown>
  );
}

function State({ of }: { readonly of: DetailedDelivery }) {
  if (of.status === "delivered") return null;
  if (of.parked_until !== null)
    return (
      <Note kind="warn" isStill>
        Its endpoint is off. It goes on when the endpoint is active again, until{" "}
        <Time at={of.parked_until} full />; then it is dead.
      </Note>
    );
  if (of.status === "dead")
    return (
      <Note kind="bad" isStill>
        Boathook has given up and sends it no more. The last failure: <ErrorText of={of.last_error} />
      </Note>
    );
  if (of.last_error === null) return null;
  return (
    <Note kind="warn" isStill>
      The last failure: <ErrorText of={of.last_error} />{" "}
      {of.next_attempt_at !== null && (
        <>
          Next attempt <Time at={of.next_attempt_at} full />.
        </>
      )}
    </Note>
  );
}

/** The event's other deliveries. */
function Others({ of }: { readonly of: DetailedDelivery }) {
  const event = useData(addressOf("/v1/events/{id}", { id: of.event_id }));
  return (
    <Section
      title="The event’s other deliveries"
      aside={<Link to={`/console/events/${of.event_id}`}>The event</Link>}
    >
      <Shown of={event}>
        {({ deliveries }) => {
          const others = deliveries.filter(({ id }) => id !== of.id);
          if (others.length === 0) return <Empty title="It has no other delivery" />;
          return <EventDeliveries of={others} label="The event’s other deliveries" />;
        }}
      </Shown>
    </Section>
  );
}

function DeliveryFacts({ of }: { readonly of: DetailedDelivery }) {
  return (
    <Facts
      of={[
        [
          "Endpoint",
          <Link key="endpoint" to={`/console/endpoints/${of.endpoint_id}`}>
            {of.url ?? "removed since"}
          </Link>,
        ],
        [
          "Account",
          <Link key="account" to={`/console/accounts/${of.account_id}`}>
            {of.account_name ?? of.account_id}
          </Link>,
        ],
        ["Product", of.product],
        [
          "Event",
          <Link key="event" to={`/console/events/${of.event_id}`}>
            {of.event_id}
          </Link>,
        ],
        ["Attempts", of.attempt_count],
        ["Last answer", of.last_status_code === null ? "no answer" : `HTTP ${of.last_status_code}`],
        [
          "From event to delivery",
          of.delivered_at === null ? "–" : tookOf(Date.parse(of.delivered_at) - Date.parse(of.created_at)),
        ],
      ]}
    />
  );
}

function tookOf(ms: number): string {
  return ms < 1_000 ? `${Math.max(0, ms)} ms` : spanOf(ms);
}

type Step = {
  readonly at: string | null;
  readonly tone: string;
  readonly what: string;
  readonly error: string | null;
  /** Of what is known beside it. */
  readonly facts?: string;
};

function stepsOf(of: DetailedDelivery): readonly Step[] {
  const { attempts, attempt_count: tries, last_error: error } = of;
  const failed = attempts.filter((one) => one.error !== null);
  const known = failed.map((one) => ({
    at: one.ended_at,
    tone: "bad",
    what: `Attempt ${one.number} failed`,
    error: one.error,
    facts: factsOf(one),
  }));
  const isUnlogged = known.length === 0 && error !== null;
  const last = {
    at: null,
    tone: "bad",
    what: `${tries === 1 ? "Attempt 1" : `Attempts 1 to ${tries}`} failed`,
    error,
  };
  return [
    { at: of.created_at, tone: "info", what: "Event raised", error: null },
    ...known,
    ...(isUnlogged ? [last] : []),
    ...endOf(of),
  ];
}

function factsOf({ duration_ms: ms, address, answer_bytes: bytes }: Attempt): string {
  const facts = [
    ms === null ? null : `took ${tookOf(ms)}`,
    address === null ? null : `sent to ${address}`,
    bytes === null ? null : `${plural(bytes, "byte", "bytes")} answered`,
  ];
  return facts.filter((fact) => fact !== null).join(", ");
}

function endOf(of: DetailedDelivery): readonly Step[] {
  if (of.delivered_at !== null)
    return [
      { at: of.delivered_at, tone: "good", what: `Delivered at attempt ${of.attempt_count}`, error: null },
    ];
  if (of.status === "dead") return [{ at: null, tone: "bad", what: "Dead", error: null }];
  if (of.parked_until !== null)
    return [{ at: of.parked_until, tone: "none", what: "Dead if its endpoint stays off", error: null }];
  return [{ at: of.next_attempt_at, tone: "none", what: `Attempt ${of.attempt_count + 1}`, error: null }];
}

function Steps({ of }: { readonly of: DetailedDelivery }) {
  return (
    <ol class="steps">
      {stepsOf(of).map(({ at, tone, what, error, facts = "" }) => (
        <li key={what} class={tone}>
          <span>{what}</span>
          {at !== null && <Time at={at} />}
          {error !== null && (
            <p>
              <ErrorText of={error} />
              {facts !== "" && <span class="quiet"> {facts}</span>}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}
