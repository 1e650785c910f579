import { useState } from "preact/hooks";

import { Shown } from "../ui/data.tsx";
import { Badge, Head, Note, Section, Table, type Column } from "../ui/parts.tsx";
import { Link } from "../ui/route.tsx";
import { ask, receives, type EventType } from "./answers.ts";
import { useEventTypes } from "./endpoint-form.tsx";
import { useEndpoints } from "./endpoints.tsx";
import { Found, Json, Trail } from "./pieces.tsx";
import { PAGES, PRODUCT } from "./place.ts";

function Kind({ of }: { readonly of: EventType }) {
  if (!of.raised && of.name !== "ping") return <Badge tone="none">reserved</Badge>;
  return of.subscribable || of.name === "ping" ? null : <Badge tone="info">with all events only</Badge>;
}

const COLUMNS: readonly Column<EventType>[] = [
  {
    name: "Event type",
    of: (type) => (
      <Link to={`${PAGES}/event-types/${type.name}`}>
        <code>{type.name}</code>
      </Link>
    ),
  },
  {
    name: "When it is sent",
    isWide: true,
    of: (type) => (
      <>
        {type.description} <Kind of={type} />
      </>
    ),
  },
];

export function EventTypes() {
  const types = useEventTypes();
  return (
    <>
      <Head title="Event types" about={`What ${PRODUCT.title} sends, each with an example and a schema.`} />
      <Section title="Catalogue">
        <Shown of={types}>
          {({ data }) => (
            <Table label="Event types" rows={data} columns={COLUMNS} keyOf={({ name }) => name} />
          )}
        </Shown>
      </Section>
    </>
  );
}

export function EventTypePage({ name }: { readonly name: string }) {
  const types = useEventTypes();
  return (
    <>
      <Trail of={[["Event types", `${PAGES}/event-types`]]} />
      <Found of={types} name="event type">
        {({ data }) => {
          const found = data.find((one) => one.name === name);
          if (found === undefined) return <Head title="There is no such event type" />;
          return (
            <>
              <Head title={found.name} badge={<Kind of={found} />} about={found.description} />
              {(found.raised || name === "ping") && <SampleTo type={found.name} />}
              <div class="columns">
                <Section title="Example">
                  <Json label="Example of a body" of={found.example} />
                </Section>
                <Section title="JSON Schema">
                  <Json label="JSON Schema of a body" of={found.schema} />
                </Section>
              </div>
            </>
          );
        }}
      </Found>
    </>
  );
}

function SampleTo({ type }: { readonly type: string }) {
  const endpoints = useEndpoints();
  const active = endpoints.value?.data.filter((one) => one.active && receives(one, type)) ?? [];
  const [chosen, setChosen] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const [sent, setSent] = useState<string | null>(null);
  const id = chosen === "" ? (active[0]?.id ?? "") : chosen;
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    const body = type === "ping" ? {} : { event_type: type };
    const answer = await ask("POST /v1/webhooks/{id}/test", { id }, body);
    setFailure(answer.ok ? null : answer.failure.message);
    setSent(answer.ok ? `${PAGES}/endpoints/${id}/deliveries/${answer.value.data.id}` : null);
  };
  if (active.length === 0) return null;
  return (
    <Section title="Send a sample">
      <form class="filters" onSubmit={(event) => void send(event)}>
        <label class="grow">
          To
          <select value={id} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
            {active.map((one) => (
              <option key={one.id} value={one.id}>
                {one.url}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">Send</button>
      </form>
      {failure !== null && <Note kind="bad">{failure}</Note>}
      {sent !== null && (
        <Note kind="info">
          Queued. <Link to={sent}>See how it goes</Link>
        </Note>
      )}
    </Section>
  );
}
