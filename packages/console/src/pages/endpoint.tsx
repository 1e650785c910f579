/** Endpoints, as a list and one of them. A role says where they come from, and what it may do with them. */
import type { ComponentChildren } from "preact";

import { Confirm, useAction } from "../ui/action.tsx";
import { type Answered, withQuery } from "../ui/api.ts";
import { count, plural } from "../ui/numbers.ts";
import { Badge, Facts, Head, Note, type Fact } from "../ui/parts.tsx";
import { Link } from "../ui/route.tsx";
import type { Column } from "../ui/table.tsx";
import { sinceOf, Time } from "../ui/time.tsx";
import type { Endpoint } from "./answers.ts";
import { EndpointBadge, Explained, type AdviceOn } from "./states.tsx";

/** `address`: of the page of all endpoints. */
export function endpointColumns<Row extends Endpoint>(
  address: string,
  own: readonly Column<Row>[],
): readonly Column<Row>[] {
  return [
    { name: "State", of: (endpoint) => <EndpointBadge of={endpoint} /> },
    {
      name: "URL",
      isWide: true,
      of: ({ id, url, description }) => (
        <>
          <Link to={`${address}/${id}`} title={url}>
            {url}
          </Link>
          {description !== "" && <div class="quiet">{description}</div>}
        </>
      ),
    },
    ...own,
    { name: "Failures", isNumber: true, of: ({ failure_count: failures }) => count(failures) },
    { name: "Off since", of: ({ disabled_at: at }) => <Time at={at} /> },
    {
      name: "Missed",
      isNumber: true,
      of: ({ missed_events: missed }) => (missed === 0 ? "–" : count(missed)),
    },
    { name: "Last success", of: ({ last_delivery_at: at }) => <Time at={at} none="never" /> },
  ];
}

type ViewProps = WhyProps & {
  readonly actions: ComponentChildren;
  readonly children: ComponentChildren;
};

export function EndpointView({ actions, children, ...why }: ViewProps) {
  const { of } = why;
  return (
    <>
      <Head
        title={<span class="url">{of.url}</span>}
        badge={<EndpointBadge of={of} />}
        about={of.description === "" ? undefined : of.description}
      >
        {actions}
      </Head>
      <Why {...why} />
      {children}
    </>
  );
}

type WhyProps = {
  readonly of: Endpoint;
  readonly lastError: string | null;
  readonly adviceOn?: AdviceOn;
  /** A sentence that says who paused it. */
  readonly paused: string;
  /** What follows from failures: ", so Boathook stopped sending." */
  readonly stopped: string;
  /** The page of events, and which of them are its account's and product's. */
  readonly events: { readonly at: string; readonly of?: Readonly<Record<string, string>> };
  /** What to do about it. */
  readonly remedy?: ComponentChildren;
};

/** Why nothing arrives, in the order of what the reader needs: what, why, what to do. */
function Why({ of, lastError, adviceOn, paused, stopped, events, remedy }: WhyProps) {
  const { active, failure_count: failures, disabled_reason: reason, missed_events: missed } = of;
  if (active && failures === 0) return null;
  const [type, ...others] = of.event_types;
  const missedAt = withQuery(events.at, {
    ...events.of,
    since: of.disabled_at ?? undefined,
    type: others.length === 0 ? type : undefined,
  });
  const why =
    reason === "paused" ? paused : `${plural(failures, "attempt", "attempts")} in a row failed${stopped}`;
  return (
    <Note kind={reason === "failures" ? "bad" : "warn"} isStill>
      <p>
        {active ? (
          `${plural(failures, "attempt has", "attempts have")} failed in a row. Too many, and the endpoint is turned off.`
        ) : (
          <>
            <strong>Off for {sinceOf(of.disabled_at ?? of.created_at)}</strong>, since{" "}
            <Time at={of.disabled_at} full />. {why}
            {missed > 0 && (
              <>
                {" "}
                <Link to={missedAt}>{plural(missed, "event", "events")}</Link> {missed === 1 ? "was" : "were"}{" "}
                raised for it since and never sent.
              </>
            )}
          </>
        )}
      </p>
      {lastError !== null && reason !== "paused" && <Explained error={lastError} by={adviceOn} />}
      {reason === "failures" && remedy}
    </Note>
  );
}

type SwitchProps = {
  readonly of: Endpoint;
  readonly set: (active: boolean) => Promise<Answered<unknown>>;
  readonly onSet: () => void;
};

/** Pauses or enables. It asks first: what waits is sent at once, and what comes meanwhile never. */
export function OnOff({ of, set, onSet }: SwitchProps) {
  const { isSending, failure, run } = useAction();
  const verb = of.active ? "Pause" : "Enable";
  return (
    <>
      {failure !== null && <Note kind="bad">{failure}</Note>}
      <Confirm
        name={`${verb}…`}
        verb={verb}
        about={
          of.active
            ? "Events that are raised while it is paused are not sent later."
            : "Deliveries that wait go on at once. Events that it missed are not sent."
        }
        first={of.active ? "" : "primary"}
        isDisabled={isSending}
        onConfirm={() => void run(() => set(!of.active), onSet)}
      />
    </>
  );
}

/** `own`: what a role says beside. */
export function EndpointFacts({ of, own }: { readonly of: Endpoint; readonly own: readonly Fact[] }) {
  const types = of.event_types.map((type) => (
    <Badge key={type} tone="none">
      {type}
    </Badge>
  ));
  return (
    <Facts
      of={[
        ["Id", <code key="id">{of.id}</code>],
        ...own,
        ["Subscribed to", types.length === 0 ? "every event type" : types],
        ["Failed attempts in a row", count(of.failure_count)],
        ["Events missed while off", count(of.missed_events)],
        ["Last success", <Time key="success" at={of.last_delivery_at} none="never" full />],
        ["Registered", <Time key="created" at={of.created_at} full />],
      ]}
    />
  );
}
