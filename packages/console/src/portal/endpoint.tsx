import { useState } from "preact/hooks";

import type { Delivery } from "../pages/answers.ts";
import { deliveryColumns, StatusChoice } from "../pages/delivery.tsx";
import { EndpointFacts, EndpointView, OnOff } from "../pages/endpoint.tsx";
import { DeliveryBadge, Explained } from "../pages/states.tsx";
import { Confirm, useAction } from "../ui/action.tsx";
import { Found, useData, usePages } from "../ui/data.tsx";
import { Choice, Search, useFilter } from "../ui/fields.tsx";
import { Empty, Note, Section } from "../ui/parts.tsx";
import { go, Link } from "../ui/route.tsx";
import { ListSection } from "../ui/table.tsx";
import { adviceOn } from "./advice.ts";
import { addressOf, ask, PING, receives, sendTest, useEventTypes, type Endpoint } from "./answers.ts";
import { EndpointForm, type Filled } from "./endpoint-form.tsx";
import { Entitled } from "./endpoints.tsx";
import { TypeChoice } from "./event-types.tsx";
import { askAgain, useLive } from "./live.ts";
import { PAGES, PRODUCT } from "./place.ts";
import { Trail } from "./trail.tsx";

export function EndpointPage({ id }: { readonly id: string }) {
  const { tick } = useLive();
  const [isChanging, setIsChanging] = useState(false);
  const endpoint = useData(addressOf("/v1/webhooks/{id}", { id }), tick);
  return (
    <>
      <Trail of={[["Endpoints", `${PAGES}/endpoints`]]} />
      <Found of={endpoint} name="endpoint">
        {({ data: found }) => (
          <EndpointView
            of={found}
            lastError={found.recent_deliveries.find((one) => one.last_error !== null)?.last_error ?? null}
            adviceOn={adviceOn}
            paused="You have paused it."
            stopped="."
            events={{ at: `${PAGES}/events` }}
            remedy={<p>When it is mended, enable the endpoint; a ping shows whether it works.</p>}
            actions={
              <OnOff
                of={found}
                set={(active) => ask("PATCH /v1/webhooks/{id}", { id }, { active })}
                onSet={askAgain}
              />
            }
          >
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
                <EndpointFacts
                  of={found}
                  own={[["Signature", <code key="signature">X-{PRODUCT.header}-Signature</code>]]}
                />
              )}
            </Section>
            <Entitled />
            <SendTest endpoint={found} />
            <Deliveries endpointId={id} />
            <Remove id={id} />
          </EndpointView>
        )}
      </Found>
    </>
  );
}

function Change({ of, onEnd }: { readonly of: Endpoint; readonly onEnd: () => void }) {
  const [begun, setBegun] = useState<Filled>(of);
  const send = async (filled: Filled): Promise<string | null> => {
    // The rest is as it was, or as somebody else has made it meanwhile.
    const changed = Object.fromEntries(
      Object.entries(filled).filter(([name, is]) => String(is) !== String(begun[name as keyof Filled])),
    ) as Partial<Filled>;
    const answer = await ask("PATCH /v1/webhooks/{id}", { id: of.id }, changed);
    askAgain();
    if (!answer.ok) return answer.failure.message;
    setBegun(answer.value.data);
    // The API ignores a URL that nothing can be sent to.
    if (changed.url !== undefined && changed.url !== answer.value.data.url)
      return "The URL is not one that deliveries can go to: https, a public host, no user in it. The rest is changed.";
    onEnd();
    return null;
  };
  const { url, description, event_types } = begun;
  return <EndpointForm of={{ url, description, event_types }} action="Save" send={send} onCancel={onEnd} />;
}

const PAGE = 20;

function Deliveries({ endpointId }: { readonly endpointId: string }) {
  const { tick } = useLive();
  const { filter, isFiltered } = useFilter("status", "event_type");
  const found = usePages(
    addressOf("/v1/webhooks/{id}/deliveries", { id: endpointId, limit: PAGE, ...filter }),
    ({ data }) => data,
    tick,
  );
  return (
    <ListSection
      title="Deliveries"
      of={found}
      columns={deliveryColumns<Delivery>(
        ({ id }) => `${PAGES}/endpoints/${endpointId}/deliveries/${id}`,
        [{ name: "Event", of: ({ event_type: type }) => type }],
      )}
      none={
        isFiltered ? (
          <Empty title="No delivery matches">Widen the filter above.</Empty>
        ) : (
          <Empty title="Nothing has been sent here yet">
            Send a ping above, or wait for an event: it is sent within seconds.
          </Empty>
        )
      }
    >
      <Search label="Deliveries">
        <StatusChoice of={filter.status} />
        <TypeChoice name="event_type" of={filter.event_type} />
      </Search>
    </ListSection>
  );
}

function Remove({ id }: { readonly id: string }) {
  const { isSending, failure, run } = useAction();
  return (
    <div class="danger">
      {failure !== null && <Note kind="bad">{failure}</Note>}
      <Confirm
        name="Remove this endpoint…"
        verb="Remove"
        about="Its secret, its history and what waits for it go for good."
        tone="bad"
        first="plain"
        isDisabled={isSending}
        onConfirm={() =>
          void run(
            () => ask("DELETE /v1/webhooks/{id}", { id }),
            () => go(`${PAGES}/endpoints`),
          )
        }
      />
    </div>
  );
}

/** A ping, or a sample of a type, to this endpoint; and how it went. */
function SendTest({ endpoint }: { readonly endpoint: Endpoint }) {
  const types = useEventTypes();
  const [type, setType] = useState<string>(PING);
  const [sentId, setSentId] = useState<string | null>(null);
  const { isSending, failure, run } = useAction();
  const send = (event: Event): void => {
    event.preventDefault();
    setSentId(null);
    void run(
      () => sendTest(endpoint.id, type),
      ({ data }) => setSentId(data.id),
    ).then(askAgain);
  };
  const samples = (types.value?.data ?? [])
    .filter(({ raised, name }) => raised && name !== PING && receives(endpoint, name))
    .map(({ name }) => [name, `sample of ${name}`] as const);
  return (
    <Section title="Send a test">
      <form class="filters" onSubmit={send}>
        <Choice name="What" of={type} options={[[PING, PING], ...samples]} set={setType} />
        <button type="submit" disabled={isSending || !endpoint.active}>
          Send
        </button>
        <p class="quiet">
          {endpoint.active
            ? "It is signed and retried like any delivery. A sample has data.sample: true."
            : "Enable the endpoint first: nothing is sent while it is off."}
        </p>
      </form>
      {failure !== null && <Note kind="bad">{failure}</Note>}
      {sentId !== null && <Outcome key={sentId} endpointId={endpoint.id} id={sentId} />}
    </Section>
  );
}

function Outcome({ endpointId, id }: { readonly endpointId: string; readonly id: string }) {
  const { tick } = useLive();
  const address = addressOf("/v1/webhooks/{id}/deliveries/{delivery_id}", {
    id: endpointId,
    delivery_id: id,
  });
  const { value } = useData(address, tick);
  const delivery = value?.data ?? null;
  return (
    <div class="outcome" role="status">
      {delivery === null ? (
        <span class="quiet">In transit…</span>
      ) : (
        <>
          <DeliveryBadge of={delivery} />
          <Link to={`${PAGES}/endpoints/${endpointId}/deliveries/${id}`}>{delivery.event_type}</Link>
          {delivery.status === "delivered" && (
            <span class="quiet"> Your receiver answered HTTP {delivery.last_status_code}.</span>
          )}
          {delivery.status !== "delivered" && delivery.last_error !== null && (
            <Explained error={delivery.last_error} by={adviceOn} />
          )}
        </>
      )}
    </div>
  );
}
