import { EndpointBadge } from "../operator/states.tsx";
import { useData } from "../ui/data.tsx";
import { count } from "../ui/numbers.ts";
import { Empty, Head, Note, Section, Table, type Column } from "../ui/parts.tsx";
import { Link } from "../ui/route.tsx";
import { Time } from "../ui/time.tsx";
import { addressOf, type Endpoint } from "./answers.ts";
import { useLive } from "./live.ts";
import { PAGES, PRODUCT } from "./place.ts";
import { Snippets } from "./snippets.tsx";
import { currentSession } from "./session.ts";

const COLUMNS: readonly Column<Endpoint>[] = [
  { name: "State", of: (endpoint) => <EndpointBadge of={endpoint} /> },
  {
    name: "URL",
    isWide: true,
    of: ({ id, url, description }) => (
      <>
        <Link to={`${PAGES}/endpoints/${id}`} title={url}>
          {url}
        </Link>
        {description !== "" && <div class="quiet">{description}</div>}
      </>
    ),
  },
  { name: "Events", of: ({ event_types: types }) => (types.length === 0 ? "all" : count(types.length)) },
  { name: "Failures", isNumber: true, of: ({ failure_count: failures }) => count(failures) },
  { name: "Off since", of: ({ disabled_at: at }) => <Time at={at} /> },
  { name: "Missed", isNumber: true, of: ({ missed_events: missed }) => (missed === 0 ? "–" : count(missed)) },
  { name: "Last success", of: ({ last_delivery_at: at }) => <Time at={at} none="never" /> },
];

/** An account has no more, which is a page. */
const ENDPOINTS_MAX = 100;

export function useEndpoints(tick: unknown = null) {
  return useData(addressOf("/v1/webhooks", { limit: ENDPOINTS_MAX }), tick);
}

export function Endpoints() {
  const { tick } = useLive();
  const { value, failure } = useEndpoints(tick);
  const endpoints = value?.data ?? null;
  const off = endpoints?.filter(({ disabled_reason: reason }) => reason === "failures") ?? [];
  return (
    <>
      <Head title="Endpoints" about={`Where your deliveries of ${PRODUCT.title} go.`}>
        <Link to={`${PAGES}/endpoints/new`} class="button primary">
          Register an endpoint
        </Link>
      </Head>
      <Entitled />
      {failure !== null && <Note kind="bad">{failure.message}</Note>}
      {off.length > 0 && (
        <Note kind="bad" isStill>
          {off.length === 1 ? "One endpoint is off" : `${count(off.length)} endpoints are off`} because too
          many attempts failed in a row. Open it to see why. Meanwhile nothing new is sent there.
        </Note>
      )}
      <Section title="Your endpoints">
        {endpoints === null && failure === null && <p class="loading">Loading…</p>}
        {endpoints?.length === 0 && (
          <Empty title="You have no endpoint yet">
            Run a receiver, give it a public https address, and register that address here.
          </Empty>
        )}
        {endpoints !== null && endpoints.length > 0 && (
          <Table label="Your endpoints" rows={endpoints} columns={COLUMNS} keyOf={({ id }) => id} />
        )}
      </Section>
      {endpoints?.length === 0 && <Snippets />}
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
