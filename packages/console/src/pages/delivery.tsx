/** Deliveries, as a list and one of them. A role says where they come from, and what else it knows of them. */
import type { ComponentChildren } from "preact";

import { changeQuery, Link } from "../ui/route.tsx";
import { Choice } from "../ui/fields.tsx";
import { plural } from "../ui/numbers.ts";
import { Head, Note, Section, ShortId, type Fact } from "../ui/parts.tsx";
import type { Column } from "../ui/table.tsx";
import { spanOf, Time } from "../ui/time.tsx";
import type { Attempt, Delivery } from "./answers.ts";
import { DeliveryBadge, ErrorText, Explained, type AdviceOn } from "./states.tsx";

type Detail = Delivery & { readonly attempts: readonly Attempt[] };
/** Of an event, whose deliveries do not repeat what it is. */
type Sent = Omit<Delivery, "event_id" | "event_type">;

const STATUSES = [
  ["", "Any status"],
  // As the badges say it: the three that are not settled are one status of the API.
  ["pending", "Pending, retrying or parked"],
  ["delivered", "Delivered"],
  ["dead", "Dead"],
] as const;

export function StatusChoice({ of }: { readonly of: string }) {
  return <Choice name="Status" of={of} options={STATUSES} set={(status) => changeQuery({ status })} />;
}

/** `own`: what a role says of where a delivery goes and what it is about. */
export function deliveryColumns<Row extends Sent>(
  addressOf: (row: Row) => string,
  own: readonly Column<Row>[],
): readonly Column<Row>[] {
  return [
    { name: "State", of: (delivery) => <DeliveryBadge of={delivery} /> },
    {
      name: "Delivery",
      of: (delivery) => (
        <Link to={addressOf(delivery)}>
          <ShortId of={delivery.id} />
        </Link>
      ),
    },
    ...own,
    { name: "Created", of: ({ created_at: at }) => <Time at={at} /> },
    { name: "Attempts", isNumber: true, of: ({ attempt_count: attempts }) => attempts },
    { name: "Outcome", isWide: true, of: (delivery) => <Outcome of={delivery} /> },
  ];
}

function Outcome({ of }: { readonly of: Sent }) {
  const { delivered_at: at, last_error: error, next_attempt_at: next, parked_until: until } = of;
  if (at !== null) return <Time at={at} />;
  return (
    <span>
      <ErrorText of={error} />
      {(until ?? next) !== null && (
        <span class="quiet">
          {" "}
          {until === null ? "Next attempt" : "Parked until"} <Time at={until ?? next} />
        </span>
      )}
    </span>
  );
}

type ViewProps = {
  readonly of: Detail;
  readonly facts: readonly Fact[];
  readonly adviceOn?: AdviceOn;
  /** What was sent. */
  readonly children: ComponentChildren;
};

export function DeliveryView({ of, facts, adviceOn, children }: ViewProps) {
  const { delivered_at: at, last_status_code: status } = of;
  const tookMs = at === null ? null : Date.parse(at) - Date.parse(of.created_at);
  return (
    <>
      <Head title={of.event_type} badge={<DeliveryBadge of={of} />} about={<code>{of.id}</code>} />
      <State of={of} adviceOn={adviceOn} />
      <div class="columns">
        <Section
          title="Delivery"
          facts={[
            ...facts,
            ["Attempts", of.attempt_count],
            ["Last answer", status === null ? "no answer" : `HTTP ${status}`],
            ["From event to delivery", tookMs === null ? "–" : tookOf(tookMs)],
          ]}
        />
        <Section title="What happened">
          <Steps of={of} adviceOn={adviceOn} />
        </Section>
      </div>
      {children}
    </>
  );
}

function tookOf(ms: number): string {
  return ms < 1_000 ? `${Math.max(0, ms)} ms` : spanOf(ms);
}

type PartProps = { readonly of: Detail; readonly adviceOn: AdviceOn | undefined };

function State({ of, adviceOn }: PartProps) {
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
        <p>
          <strong>Given up after {plural(of.attempt_count, "attempt", "attempts")}.</strong> It is not sent
          again. The event stays readable under Events.
        </p>
        <Explained error={of.last_error} by={adviceOn} />
      </Note>
    );
  if (of.last_error === null) return null;
  return (
    <Note kind="warn" isStill>
      <Explained error={of.last_error} by={adviceOn} />
      {of.next_attempt_at !== null && (
        <p>
          Next attempt <Time at={of.next_attempt_at} full />.
        </p>
      )}
    </Note>
  );
}

type Step = {
  readonly at: string | null;
  readonly tone: "good" | "bad" | "info" | "none";
  readonly what: string;
  readonly error?: string | null;
  /** Of what is known beside it. */
  readonly facts?: string;
};

function stepsOf(of: Detail): readonly Step[] {
  const { attempts, attempt_count: tries, last_error: error } = of;
  const failed = attempts.filter((one) => one.error !== null);
  const known = failed.map((one): Step => {
    const what = `Attempt ${one.number} failed`;
    return { at: one.ended_at, tone: "bad", what, error: one.error, facts: factsOf(one) };
  });
  const what = `${tries === 1 ? "Attempt 1" : `Attempts 1 to ${tries}`} failed`;
  const isUnlogged = known.length === 0 && error !== null;
  return [
    { at: of.created_at, tone: "info", what: "Event raised" },
    ...(isUnlogged ? [{ at: null, tone: "bad" as const, what, error }] : known),
    endOf(of),
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

function endOf({ status, attempt_count: tries, ...of }: Detail): Step {
  if (of.delivered_at !== null)
    return { at: of.delivered_at, tone: "good", what: `Delivered at attempt ${tries}` };
  if (status === "dead") return { at: null, tone: "bad", what: "Dead" };
  if (of.parked_until !== null)
    return { at: of.parked_until, tone: "none", what: "Dead if its endpoint stays off" };
  return { at: of.next_attempt_at, tone: "none", what: `Attempt ${tries + 1}` };
}

/** What happened in its order, each failure with its reason. */
function Steps({ of, adviceOn }: PartProps) {
  return (
    <ol class="sequence steps">
      {stepsOf(of).map(({ at, tone, what, error = null, facts = "" }) => (
        <li key={what} class={tone}>
          <span>{what}</span>
          {at !== null && <Time at={at} />}
          {error !== null && <Explained error={error} by={adviceOn} />}
          {facts !== "" && <p>{facts}</p>}
        </li>
      ))}
    </ol>
  );
}
