import { useState } from "preact/hooks";

import { DeliveryBadge } from "../operator/states.tsx";
import { useData } from "../ui/data.tsx";
import { Note, Section } from "../ui/parts.tsx";
import { Link } from "../ui/route.tsx";
import { addressOf, ask, receives, type Endpoint } from "./answers.ts";
import { useEventTypes } from "./endpoint-form.tsx";
import { askAgain, useLive } from "./live.ts";
import { Explained } from "./pieces.tsx";
import { PAGES } from "./place.ts";

const PING = "ping";

/** A ping, or a sample of a type, to this endpoint; and how it went. */
export function SendTest({ endpoint }: { readonly endpoint: Endpoint }) {
  const types = useEventTypes();
  const [type, setType] = useState(PING);
  const [sentId, setSentId] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    setIsSending(true);
    const body = type === PING ? {} : { event_type: type };
    const answer = await ask("POST /v1/webhooks/{id}/test", { id: endpoint.id }, body);
    setIsSending(false);
    setFailure(answer.ok ? null : answer.failure.message);
    setSentId(answer.ok ? answer.value.data.id : null);
    askAgain();
  };
  const names = (types.value?.data ?? []).filter(
    ({ raised, name }) => raised && name !== PING && receives(endpoint, name),
  );
  return (
    <Section title="Send a test">
      <form class="filters" onSubmit={(event) => void send(event)}>
        <label>
          What
          <select value={type} onChange={({ currentTarget }) => setType(currentTarget.value)}>
            <option value={PING}>ping</option>
            {names.map(({ name }) => (
              <option key={name} value={name}>
                sample of {name}
              </option>
            ))}
          </select>
        </label>
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
            <Explained error={delivery.last_error} />
          )}
        </>
      )}
    </div>
  );
}
