import { useState } from "preact/hooks";

import { EndpointBadge, plural } from "../operator/states.tsx";
import { useData } from "../ui/data.tsx";
import { Badge, Facts, Head, Note, Section } from "../ui/parts.tsx";
import { go } from "../ui/route.tsx";
import { sinceOf, Time } from "../ui/time.tsx";
import { addressOf, ask, type Endpoint, type EndpointDetail } from "./answers.ts";
import { Deliveries } from "./deliveries.tsx";
import { EndpointForm, type Filled } from "./endpoint-form.tsx";
import { Entitled } from "./endpoints.tsx";
import { askAgain, useLive } from "./live.ts";
import { Confirm, Explained, Found, Trail } from "./pieces.tsx";
import { PAGES, PRODUCT } from "./place.ts";
import { SendTest } from "./send-test.tsx";

export function EndpointPage({ id }: { readonly id: string }) {
  const { tick } = useLive();
  const [isChanging, setIsChanging] = useState(false);
  const endpoint = useData(addressOf("/v1/webhooks/{id}", { id }), tick);
  return (
    <>
      <Trail of={[["Endpoints", `${PAGES}/endpoints`]]} />
      <Found of={endpoint} name="endpoint">
        {({ data: found }) => (
          <>
            <Head
              title={<span class="url">{found.url}</span>}
              badge={<EndpointBadge of={found} />}
              about={found.description === "" ? undefined : found.description}
            >
              <Switch of={found} />
            </Head>
            <Why of={found} />
            <Section
              title="Endpoint"
              aside={
                isChanging ? undefined : (
                  <button type="button" class="plain" onClick={() => setIsChanging(true)}>
                    Change
                  </button>
                )
              }
            >
              {isChanging ? (
                <Change of={found} onEnd={() => setIsChanging(false)} />
              ) : (
                <EndpointFacts of={found} />
              )}
            </Section>
            <Entitled />
            <SendTest endpoint={found} />
            <Deliveries endpointId={found.id} />
            <Remove of={found} />
          </>
        )}
      </Found>
    </>
  );
}

/** Why nothing arrives, in the order of what the reader needs: what, why, what to do. */
function Why({ of }: { readonly of: EndpointDetail }) {
  const {
    active,
    failure_count: failures,
    disabled_reason: reason,
    disabled_at: at,
    missed_events: missed,
  } = of;
  if (active && failures === 0) return null;
  const error = of.recent_deliveries.find(({ last_error: one }) => one !== null)?.last_error ?? null;
  const lost =
    missed === 0 ? "" : ` ${plural(missed, "event was", "events were")} raised for it since and not sent.`;
  return (
    <Note kind={reason === "failures" ? "bad" : "warn"} isStill>
      <p>
        {active ? (
          `${plural(failures, "attempt has", "attempts have")} failed in a row. Too many, and the endpoint is turned off.`
        ) : (
          <>
            <strong>Off for {sinceOf(at ?? of.created_at)}</strong>, since <Time at={at} full />.{" "}
            {reason === "paused"
              ? "You have paused it."
              : `${plural(failures, "attempt", "attempts")} in a row failed.`}
            {lost}
          </>
        )}
      </p>
      {reason !== "paused" && error !== null && <Explained error={error} />}
      {reason === "failures" && <p>When it is mended, enable the endpoint; a ping shows whether it works.</p>}
    </Note>
  );
}

/** Pauses or enables. Enabling asks first: what waits is sent at once. */
function Switch({ of }: { readonly of: Endpoint }) {
  const [failure, setFailure] = useState<string | null>(null);
  const set = async (active: boolean): Promise<void> => {
    const answer = await ask("PATCH /v1/webhooks/{id}", { id: of.id }, { active });
    setFailure(answer.ok ? null : answer.failure.message);
    askAgain();
  };
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
        onConfirm={() => void set(!of.active)}
      />
    </>
  );
}

function Change({ of, onEnd }: { readonly of: Endpoint; readonly onEnd: () => void }) {
  const send = async (filled: Filled): Promise<string | null> => {
    const answer = await ask("PATCH /v1/webhooks/{id}", { id: of.id }, filled);
    askAgain();
    if (!answer.ok) return answer.failure.message;
    // The API ignores a URL that nothing can be sent to.
    if (answer.value.data.url !== filled.url)
      return "The URL is not one that deliveries can go to: https, a public host, no user in it. The rest is changed.";
    onEnd();
    return null;
  };
  const { url, description, event_types } = of;
  return <EndpointForm of={{ url, description, event_types }} action="Save" send={send} onCancel={onEnd} />;
}

function EndpointFacts({ of }: { readonly of: Endpoint }) {
  return (
    <Facts
      of={[
        [
          "Events",
          of.event_types.length === 0
            ? "all"
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
        ["Id", <code key="id">{of.id}</code>],
        ["Signature", <code key="signature">X-{PRODUCT.header}-Signature</code>],
      ]}
    />
  );
}

function Remove({ of }: { readonly of: Endpoint }) {
  const [failure, setFailure] = useState<string | null>(null);
  const remove = async (): Promise<void> => {
    const answer = await ask("DELETE /v1/webhooks/{id}", { id: of.id });
    if (answer.ok) go(`${PAGES}/endpoints`);
    else setFailure(answer.failure.message);
  };
  return (
    <div class="danger">
      {failure !== null && <Note kind="bad">{failure}</Note>}
      <Confirm
        name="Remove this endpoint…"
        verb="Remove"
        about="Its secret, its history and what waits for it go for good."
        tone="bad"
        first="plain"
        onConfirm={() => void remove()}
      />
    </div>
  );
}
