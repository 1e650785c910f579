import { count } from "../ui/numbers.ts";
import { Head, Section, Stat } from "../ui/parts.tsx";
import { Time } from "../ui/time.tsx";
import { useEndpoints } from "./answers.ts";
import { Entitled } from "./endpoints.tsx";
import { useLive } from "./live.ts";
import { PRODUCT } from "./place.ts";
import { currentSession } from "./session.ts";

/** Whose portal it is, and what the account may use. */
export function AccountPage() {
  const { requestsLeft, tick } = useLive();
  const endpoints = useEndpoints(tick);
  const session = currentSession();
  if (session === null) return null;
  const { limits, opened_by: openedBy } = session;
  const registered = endpoints.value?.data.length ?? null;
  return (
    <>
      <Head title={session.account_name} about="Your account, and what it may use." />
      <Entitled />
      <dl class="stats">
        <Stat
          name="Requests a minute"
          value={count(limits.requests_per_minute)}
          about={`${requestsLeft === null ? "–" : count(requestsLeft)} left in this minute; this page asks, too`}
        />
        <Stat
          name="Endpoints"
          value={count(limits.endpoints)}
          about={registered === null ? "" : `${count(registered)} registered`}
        />
        <Stat
          name="Event streams"
          value={count(limits.streams)}
          about="open at once: boathook listen, this page"
        />
      </dl>
      <Section
        title="Session"
        facts={[
          ["Product", PRODUCT.title],
          ["Signed in with", openedBy === "key" ? "an API key; its limit counts for both" : "a link"],
          ["Ends without use", <Time key="end" at={session.expires_at} full />],
          ["Ends in any case", <Time key="last" at={session.renewable_until} full />],
        ]}
      />
      <Section
        title="Rules"
        facts={[
          ["An attempt", "takes ten seconds at most; 200 to 299 is success"],
          ["Attempts", "six, over about two and a half hours"],
          ["Off", "after twenty failed attempts in a row"],
          ["A body", "has 512 KiB at most"],
          ["Kept", "deliveries and events, 30 days"],
        ]}
      >
        <p class="quiet">These are the defaults of the service; its operator may have set others.</p>
      </Section>
    </>
  );
}
