import { DeliveryBadge, plural } from "../operator/states.tsx";
import { useData } from "../ui/data.tsx";
import { indentJson } from "../ui/indent.ts";
import { Facts, Head, Note, Section } from "../ui/parts.tsx";
import { go } from "../ui/route.tsx";
import { spanOf, Time } from "../ui/time.tsx";
import { addressOf, type Attempt, type DeliveryDetail } from "./answers.ts";
import { useLive } from "./live.ts";
import { Code, Copy, Explained, Found, Trail } from "./pieces.tsx";
import { PAGES } from "./place.ts";
import { pasteIntoVerify } from "./verify.tsx";

type Props = { readonly endpointId: string; readonly id: string };

export function DeliveryPage({ endpointId, id }: Props) {
  const { tick } = useLive();
  const address = addressOf("/v1/webhooks/{id}/deliveries/{delivery_id}", {
    id: endpointId,
    delivery_id: id,
  });
  const found = useData(address, tick);
  return (
    <>
      <Trail
        of={[
          ["Endpoints", `${PAGES}/endpoints`],
          ["The endpoint", `${PAGES}/endpoints/${endpointId}`],
        ]}
      />
      <Found of={found} name="delivery">
        {({ data }) => <Shape of={data} />}
      </Found>
    </>
  );
}

function Shape({ of }: { readonly of: DeliveryDetail }) {
  const headers = Object.entries(of.headers).map(([name, value]) => `${name}: ${value}`);
  const verify = (): void => {
    pasteIntoVerify({ headers: headers.join("\n"), body: of.body });
    go(`${PAGES}/verify`);
  };
  return (
    <>
      <Head title={of.event_type} badge={<DeliveryBadge of={of} />} about={<code>{of.id}</code>} />
      <State of={of} />
      <div class="columns">
        <Section title="What happened">
          <Steps of={of} />
        </Section>
        <Section title="Delivery">
          <Facts
            of={[
              ["Attempts", of.attempt_count],
              ["Last answer", of.last_status_code === null ? "none" : `HTTP ${of.last_status_code}`],
              ["From event to delivery", tookOf(of)],
              ["Event", <code key="event">{of.event_id}</code>],
            ]}
          />
        </Section>
      </div>
      <Section
        title="Headers as sent"
        aside={
          <button type="button" class="plain" onClick={verify}>
            Verify with your secret
          </button>
        }
      >
        <Code label="Headers as sent" text={headers.join("\n")} isRaw />
      </Section>
      <Section
        title="Body as sent"
        aside={<span class="quiet">{plural(new TextEncoder().encode(of.body).length, "byte", "bytes")}</span>}
      >
        <div class="code">
          <pre class="body" tabIndex={0} aria-label="Body as sent">
            {indentJson(of.body)}
          </pre>
          <Copy text={of.body} name="Copy byte for byte" />
        </div>
      </Section>
    </>
  );
}

function tookOf({ created_at: from, delivered_at: to }: DeliveryDetail): string {
  if (to === null) return "–";
  return briefly(Date.parse(to) - Date.parse(from));
}

function briefly(ms: number): string {
  return ms < 1_000 ? `${Math.max(0, ms)} ms` : spanOf(ms);
}

function State({ of }: { readonly of: DeliveryDetail }) {
  if (of.status === "delivered") return null;
  if (of.parked_until !== null)
    return (
      <Note kind="warn" isStill>
        The endpoint is off. The delivery goes on when you enable it, until <Time at={of.parked_until} full />
        ; then it is dead.
      </Note>
    );
  if (of.status === "dead")
    return (
      <Note kind="bad" isStill>
        <p>
          <strong>Given up after {plural(of.attempt_count, "attempt", "attempts")}.</strong> It is not sent
          again. What was raised is under Events: read it there.
        </p>
        <Explained error={of.last_error} />
      </Note>
    );
  if (of.last_error === null) return null;
  return (
    <Note kind="warn" isStill>
      <Explained error={of.last_error} />
      {of.next_attempt_at !== null && (
        <p>
          Next attempt <Time at={of.next_attempt_at} full />.
        </p>
      )}
    </Note>
  );
}

/** What happened in its order, each failure with its reason. */
function Steps({ of }: { readonly of: DeliveryDetail }) {
  return (
    <ol class="steps">
      <li class="info">
        <span>Event raised</span>
        <Time at={of.created_at} />
      </li>
      {of.attempts
        .filter(({ error }) => error !== null)
        .map((attempt) => (
          <li key={attempt.number} class="bad">
            <span>Attempt {attempt.number} failed</span>
            <Time at={attempt.ended_at} />
            <Explained error={attempt.error} />
            <p>{factsOf(attempt)}</p>
          </li>
        ))}
      {of.delivered_at !== null && (
        <li class="good">
          <span>Delivered at attempt {of.attempt_count}</span>
          <Time at={of.delivered_at} />
        </li>
      )}
      {of.next_attempt_at !== null && (
        <li>
          <span>Attempt {of.attempt_count + 1}</span>
          <Time at={of.next_attempt_at} />
        </li>
      )}
      {of.status === "dead" && (
        <li class="bad">
          <span>Dead</span>
        </li>
      )}
    </ol>
  );
}

function factsOf({ duration_ms: ms, address, answer_bytes: bytes }: Attempt): string {
  return [
    ms === null ? null : `took ${briefly(ms)}`,
    address === null ? null : `sent to ${address}`,
    bytes === null ? null : `${plural(bytes, "byte", "bytes")} answered`,
  ]
    .filter((fact) => fact !== null)
    .join(", ");
}
