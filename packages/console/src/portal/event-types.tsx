import { useState } from "preact/hooks";

import { Json } from "../pages/text.tsx";
import { useAction } from "../ui/action.tsx";
import { Found } from "../ui/data.tsx";
import { Choice } from "../ui/fields.tsx";
import { Badge, Head, Note, Section } from "../ui/parts.tsx";
import { changeQuery, Link } from "../ui/route.tsx";
import { DataSection, type Column } from "../ui/table.tsx";
import { PING, receives, sendTest, useEndpoints, useEventTypes, type EventType } from "./answers.ts";
import { PAGES, PRODUCT } from "./place.ts";
import { Trail } from "./trail.tsx";

function Kind({ of }: { readonly of: EventType }) {
  if (!of.raised && of.name !== PING) return <Badge tone="none">reserved</Badge>;
  return of.subscribable || of.name === PING ? null : <Badge tone="info">with all events only</Badge>;
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

type TypeChoiceProps = { readonly name: "type" | "event_type"; readonly of: string };

/** Of a search, by the catalogue. `name`: in the address. */
export function TypeChoice({ name, of }: TypeChoiceProps) {
  const types = useEventTypes();
  const names = types.value?.data.map((type) => [type.name, type.name] as const) ?? [];
  return (
    <Choice
      name="Event"
      of={of}
      options={[["", "Any event"], ...names]}
      set={(type) => changeQuery({ [name]: type })}
    />
  );
}

export function EventTypes() {
  return (
    <>
      <Head title="Event types" about={`What ${PRODUCT.title} sends, each with an example and a schema.`} />
      <DataSection
        title="Catalogue"
        label="Event types"
        of={useEventTypes()}
        rowsOf={({ data }) => data}
        keyOf={({ name }) => name}
        columns={COLUMNS}
      />
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
              {(found.raised || name === PING) && <SampleTo type={found.name} />}
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
  const { isSending, failure, run } = useAction();
  const [sent, setSent] = useState<string | null>(null);
  const id = chosen === "" ? (active[0]?.id ?? "") : chosen;
  const send = (event: Event): void => {
    event.preventDefault();
    setSent(null);
    void run(
      () => sendTest(id, type),
      ({ data }) => setSent(`${PAGES}/endpoints/${id}/deliveries/${data.id}`),
    );
  };
  if (active.length === 0) return null;
  return (
    <Section title="Send a sample">
      <form class="filters" onSubmit={send}>
        <Choice
          name="To"
          class="grow"
          of={id}
          options={active.map((one) => [one.id, one.url])}
          set={setChosen}
        />
        <button type="submit" disabled={isSending}>
          Send
        </button>
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
