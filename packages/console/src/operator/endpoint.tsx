import { useState } from "preact/hooks";

import type { Failure } from "../ui/api.ts";
import { Shown, useData } from "../ui/data.tsx";
import { Badge, Empty, Facts, Head, Note, Section } from "../ui/parts.tsx";
import { Link } from "../ui/route.tsx";
import { sinceOf, Time } from "../ui/time.tsx";
import { addressOf, ask, type Endpoint } from "./answers.ts";
import { DeliveryTable } from "./deliveries.tsx";
import { Health } from "./health.tsx";
import { useLive } from "./live.ts";
import { EndpointBadge, ErrorText, whyOf } from "./states.tsx";

const RECENT_MAX = 20;

export function EndpointPage({ id }: { readonly id: string }) {
  const { tick } = useLive();
  const [enabled, setEnabled] = useState(0);
  const endpoint = useData(addressOf("/v1/endpoints/{id}", { id }), tick + enabled);
  const recent = useData(addressOf("/v1/deliveries", { endpoint_id: id, limit: RECENT_MAX }), tick + enabled);
  const deliveries = recent.value?.deliveries ?? [];
  return (
    <Shown of={endpoint}>
      {(found) => (
        <>
          <Head
            title={<span class="url">{found.url}</span>}
            badge={<EndpointBadge of={found} />}
            about={found.description}
          >
            {!found.active && <Enable of={found} onEnabled={() => setEnabled(enabled + 1)} />}
          </Head>
          <Why of={found} lastError={deliveries.find((one) => one.last_error !== null)?.last_error ?? null} />
          <Section title="Endpoint">
            <EndpointFacts of={found} />
          </Section>
          <Health id={id} />
          <Section
            title="Recent deliveries"
            aside={<Link to={`/console/deliveries?endpoint_id=${id}`}>All of this endpoint</Link>}
          >
            {recent.value !== null && deliveries.length === 0 ? (
              <Empty title="Nothing has been sent here yet">
                It gets what is raised for its account from now on, while it is active.
              </Empty>
            ) : (
              <DeliveryTable deliveries={deliveries} label="Recent deliveries" isOfOne />
            )}
          </Section>
        </>
      )}
    </Shown>
  );
}

function Why({ of, lastError }: { readonly of: Endpoint; readonly lastError: string | null }) {
  if (of.active && of.failure_count === 0) return null;
  return (
    <Note kind={of.active || of.disabled_reason === "paused" ? "warn" : "bad"} isStill>
      <p>
        {of.disabled_at !== null && (
          <>
            <strong>Off for {sinceOf(of.disabled_at)}</strong>, since <Time at={of.disabled_at} full />.{" "}
          </>
        )}
        {whyOf(of)}
      </p>
      {lastError !== null && of.disabled_reason !== "paused" && (
        <p>
          The last failure: <ErrorText of={lastError} />
        </p>
      )}
    </Note>
  );
}

/** Asks before it acts: what waits is sent at once. */
function Enable({ of, onEnabled }: { readonly of: Endpoint; readonly onEnabled: () => void }) {
  const [state, setState] = useState<"idle" | "asking" | "sending">("idle");
  const [failure, setFailure] = useState<Failure | null>(null);
  const enable = async (): Promise<void> => {
    setState("sending");
    const answer = await ask("POST /v1/endpoints/{id}/enable", { id: of.id });
    setState("idle");
    setFailure(answer.ok ? null : answer.failure);
    if (answer.ok) onEnabled();
  };
  return (
    <>
      {failure !== null && <Note kind="bad">{failure.message}</Note>}
      {state === "idle" ? (
        <button type="button" class="primary" onClick={() => setState("asking")}>
          Enable…
        </button>
      ) : (
        <div class="confirm" role="group" aria-label="Enable this endpoint?">
          <p>Deliveries that are parked go on at once. Events that it missed are not sent.</p>
          <button type="button" onClick={() => setState("idle")}>
            Cancel
          </button>
          <button type="button" class="primary" disabled={state === "sending"} onClick={() => void enable()}>
            Enable
          </button>
        </div>
      )}
    </>
  );
}

function EndpointFacts({ of }: { readonly of: Endpoint }) {
  return (
    <Facts
      of={[
        ["Id", <code key="id">{of.id}</code>],
        [
          "Account",
          <Link key="account" to={`/console/accounts/${of.account_id}`}>
            {of.account_name ?? of.account_id}
          </Link>,
        ],
        ["Product", of.product],
        [
          "Subscribed to",
          of.event_types.length === 0
            ? "every event type"
            : of.event_types.map((type) => (
                <Badge key={type} tone="none">
                  {type}
                </Badge>
              )),
        ],
        ["Failed attempts in a row", of.failure_count.toLocaleString()],
        ["Events missed while off", of.missed_events.toLocaleString()],
        ["Last success", <Time key="success" at={of.last_delivery_at} none="never" full />],
        ["Registered", <Time key="created" at={of.created_at} full />],
      ]}
    />
  );
}
