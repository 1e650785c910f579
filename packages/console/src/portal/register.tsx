import { useEffect, useState } from "preact/hooks";

import { Head, Note, Section } from "../ui/parts.tsx";
import { go, Link } from "../ui/route.tsx";
import { ask, type Registered } from "./answers.ts";
import { EndpointForm, type Filled } from "./endpoint-form.tsx";
import { Entitled } from "./endpoints.tsx";
import { Code, Trail } from "./pieces.tsx";
import { PAGES } from "./place.ts";
import { Snippets } from "./snippets.tsx";

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
