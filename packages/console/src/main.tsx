/** The operator's console: sign-in, navigation, and the page that the address names. */
import { render, type ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import { AccountProduct } from "./operator/account-product.tsx";
import { AccountPage, Accounts } from "./operator/accounts.tsx";
import { ask } from "./operator/answers.ts";
import { Deliveries } from "./operator/deliveries.tsx";
import { DeliveryPage } from "./operator/delivery.tsx";
import { EndpointPage } from "./operator/endpoint.tsx";
import { Endpoints } from "./operator/endpoints.tsx";
import { EventPage } from "./operator/event.tsx";
import { Events } from "./operator/events.tsx";
import { startLive, stopLive, useLive } from "./operator/live.ts";
import { Overview } from "./operator/overview.tsx";
import { SignIn } from "./operator/sign-in.tsx";
import { forget, resume, signOut, whenOut } from "./operator/session.ts";
import { SourcePage } from "./operator/source.tsx";
import { Sources } from "./operator/sources.tsx";
import { System } from "./operator/system.tsx";
import "./style.css";
import { whenSignedOut } from "./ui/api.ts";
import { useFrame } from "./ui/frame.ts";
import { Head, Note } from "./ui/parts.tsx";
import { decoded, Link, usePlace } from "./ui/route.tsx";
import { ThemeSwitch } from "./ui/theme-switch.tsx";

type Page = {
  readonly name: string;
  readonly address: string;
  readonly all: () => ComponentChildren;
  /** `rest`: what follows the id in the address. */
  readonly one?: (id: string, rest: string) => ComponentChildren;
};

const PAGES: readonly Page[] = [
  { name: "Overview", address: "/console", all: () => <Overview /> },
  {
    name: "Accounts",
    address: "/console/accounts",
    all: () => <Accounts />,
    one: (id, rest) =>
      rest === "" ? <AccountPage key={id} id={id} /> : <AccountProduct key={id} id={id} rest={rest} />,
  },
  {
    name: "Endpoints",
    address: "/console/endpoints",
    all: () => <Endpoints />,
    one: (id) => <EndpointPage key={id} id={id} />,
  },
  {
    name: "Deliveries",
    address: "/console/deliveries",
    all: () => <Deliveries />,
    one: (id) => <DeliveryPage key={id} id={id} />,
  },
  {
    name: "Events",
    address: "/console/events",
    all: () => <Events />,
    one: (id) => <EventPage key={id} id={id} />,
  },
  {
    name: "Sources",
    address: "/console/sources",
    all: () => <Sources />,
    one: (id) => <SourcePage key={id} id={id} />,
  },
  { name: "System", address: "/console/system", all: () => <System /> },
];

function Console() {
  const [session, setSession] = useState<"asking" | "out" | "in">("asking");
  useEffect(() => {
    const out = (): void => {
      stopLive();
      setSession("out");
    };
    whenOut(out);
    whenSignedOut(() => {
      forget();
      out();
    });
    void resume().then(async (isIn) => {
      const answer = isIn ? await ask("GET /v1/history") : null;
      setSession(answer === null || (!answer.ok && answer.failure.status === 401) ? "out" : "in");
    });
  }, []);
  useEffect(() => {
    if (session === "in") startLive();
  }, [session]);
  if (session === "asking") return null;
  return session === "out" ? <SignIn onSignedIn={() => setSession("in")} /> : <Frame />;
}

function Frame() {
  const { path } = usePlace();
  const [failure, setFailure] = useState<string | null>(null);
  const leave = async (): Promise<void> => {
    const answer = await signOut();
    if (answer.ok || answer.failure.status === 401) location.assign("/console");
    else setFailure(answer.failure.message);
  };
  const current = PAGES.findLast(({ address }) => path === address || path.startsWith(`${address}/`));
  useFrame(current?.name, "Boathook");
  return (
    <>
      <a class="skip" href="#content">
        To the content
      </a>
      <div class="frame">
        <header class="top">
          <Link to="/console" class="brand">
            <img src="/console/assets/icon.svg" alt="" width="24" height="24" /> Boathook
          </Link>
          <nav aria-label="Pages">
            {PAGES.map(({ name, address }) => (
              <Link key={address} to={address} current={current?.address === address}>
                {name}
              </Link>
            ))}
          </nav>
          <div class="foot">
            <LiveState />
            <ThemeSwitch />
            <button type="button" class="plain" onClick={() => void leave()}>
              Sign out
            </button>
          </div>
        </header>
        <main id="content" tabIndex={-1}>
          {failure !== null && <Note kind="bad">You are still signed in. {failure}</Note>}
          {pageOf(path)}
        </main>
      </div>
    </>
  );
}

function pageOf(path: string): ComponentChildren {
  for (const { address, all, one } of PAGES) {
    if (path === address) return all();
    const [, id = "", rest = ""] = path.startsWith(`${address}/`)
      ? (/^\/([^/]+)(?:\/(.+))?$/.exec(path.slice(address.length)) ?? [])
      : [];
    if (one !== undefined && id !== "") return one(decoded(id), rest);
  }
  return <Head title="There is no such page" about={<Link to="/console">To the overview</Link>} />;
}

const STATES = {
  connecting: "Connecting…",
  live: "Live",
  away: "Not connected; trying again",
} as const;

function LiveState() {
  const { state, status } = useLive();
  const [version] = useState({ first: "" });
  version.first ||= status?.version ?? "";
  const isNewer = status !== null && status.version !== version.first;
  return (
    <div class={`live ${state}`} role="status">
      <span class="dot" /> {STATES[state]}
      {isNewer && (
        <button type="button" class="plain" onClick={() => location.reload()}>
          A new version runs: load it
        </button>
      )}
    </div>
  );
}

render(<Console />, document.querySelector("#app")!);
