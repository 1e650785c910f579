/** The endpoints of the account, and the form and the snippet of a new one. */
import { useEffect, useState } from "preact/hooks";

import { endpointColumns } from "../pages/endpoint.tsx";
import { Code } from "../pages/text.tsx";
import { Switch } from "../ui/fields.tsx";
import { count } from "../ui/numbers.ts";
import { Empty, Head, Note, Section } from "../ui/parts.tsx";
import { go, Link } from "../ui/route.tsx";
import { DataSection } from "../ui/table.tsx";
import { ask, useEndpoints, type Registered } from "./answers.ts";
import { EndpointForm, type Filled } from "./endpoint-form.tsx";
import { useLive } from "./live.ts";
import { PACKAGES, PAGES, PRODUCT } from "./place.ts";
import { currentSession } from "./session.ts";
import { installing, type Language, SNIPPETS } from "./three-lines.ts";
import { Trail } from "./trail.tsx";

const COLUMNS = endpointColumns(`${PAGES}/endpoints`, [
  { name: "Events", of: ({ event_types: types }) => (types.length === 0 ? "all" : count(types.length)) },
]);

export function Endpoints() {
  const { tick } = useLive();
  const endpoints = useEndpoints(tick);
  const known = endpoints.value?.data ?? null;
  const off = known?.filter(({ disabled_reason: reason }) => reason === "failures") ?? [];
  return (
    <>
      <Head title="Endpoints" about={`Where your deliveries of ${PRODUCT.title} go.`}>
        <Link to={`${PAGES}/endpoints/new`} class="button primary">
          Register an endpoint
        </Link>
      </Head>
      <Entitled />
      {off.length > 0 && (
        <Note kind="bad" isStill>
          {off.length === 1 ? "One endpoint is off" : `${count(off.length)} endpoints are off`} because too
          many attempts failed in a row. Open {off.length === 1 ? "it" : "one"} to see why. Meanwhile nothing
          new is sent there.
        </Note>
      )}
      <DataSection
        title="Your endpoints"
        of={endpoints}
        rowsOf={({ data }) => data}
        columns={COLUMNS}
        none={
          <Empty title="You have no endpoint yet">
            Run a receiver, give it a public https address, and register that address here.
          </Empty>
        }
      />
      {known?.length === 0 && <Snippets />}
    </>
  );
}

/** What the account may not do, before the reader tries. */
export function Entitled() {
  const missing = currentSession()?.missing_entitlement ?? null;
  if (missing === null) return null;
  return (
    <Note kind="warn" isStill>
      Your account lacks the entitlement <code>{missing}</code>: it cannot register or test endpoints. Ask
      whoever gave you the key.
    </Note>
  );
}

export function Register() {
  const [made, setMade] = useState<Registered | null>(null);
  const send = async (filled: Filled): Promise<string | null> => {
    const answer = await ask("POST /v1/webhooks", {}, filled);
    if (!answer.ok) return answer.failure.message;
    setMade(answer.value.data);
    return null;
  };
  if (made !== null) return <Secret of={made} />;
  return (
    <>
      <Trail of={[["Endpoints", `${PAGES}/endpoints`]]} />
      <Head
        title="Register an endpoint"
        about="Deliveries go there by POST, signed, within seconds of an event."
      />
      <Entitled />
      <Section title="The endpoint">
        <EndpointForm
          of={{ url: "", description: "", event_types: [] }}
          action="Register"
          send={send}
          onCancel={() => go(`${PAGES}/endpoints`)}
        />
      </Section>
    </>
  );
}

/** The only time that it is shown: the service itself keeps no more than its hash. */
function Secret({ of }: { readonly of: Registered }) {
  // As on a page of its own: the form that had the focus is gone.
  useEffect(() => document.querySelector<HTMLElement>("#content")?.focus({ preventScroll: true }), []);
  return (
    <>
      <Trail of={[["Endpoints", `${PAGES}/endpoints`]]} />
      <Head title="Registered" about={<span class="url">{of.url}</span>} />
      <Note kind="warn">
        Keep this secret now: nobody can show it again. Your receiver verifies each delivery with it.
      </Note>
      <Section title="Signing secret">
        <Code label="Signing secret" text={of.secret} isRaw />
        <p class="bar">
          <Link to={`${PAGES}/endpoints/${of.id}`} class="button primary">
            I have kept it: go to the endpoint
          </Link>
        </p>
      </Section>
      <Snippets />
    </>
  );
}

const INSTALLING = installing(PACKAGES);

const LANGUAGES = (Object.keys(SNIPPETS) as Language[]).map((name) => [name, name] as const);

export function Snippets() {
  const [language, setLanguage] = useState<Language>("JavaScript");
  return (
    <Section title="A receiver in three lines">
      <div class="bar">
        <Switch legend="Language" name="language" of={language} options={LANGUAGES} set={setLanguage} />
      </div>
      <Code label={`What installs it for ${language}`} text={INSTALLING[language]} />
      <Code label={`A receiver in ${language}`} text={SNIPPETS[language]} />
      <p class="quiet">
        It verifies each delivery with <code>WEBHOOK_SECRET</code>, drops repeats, and answers when your code
        has returned. For your own requests there is a typed client of this API:
      </p>
      <Code label="What installs the typed client" text={INSTALLING.client} />
    </Section>
  );
}
