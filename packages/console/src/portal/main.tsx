/** The client's portal: sign-in, navigation, and the page that the address names. */
import { render, type ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { Tag } from "../freight/place.tsx";
import { tagIn, NAMES, ProductView } from "../freight/product.tsx";
import "../style.css";
import { whenSignedOut } from "../ui/api.ts";
import { useFrame } from "../ui/frame.ts";
import { Head } from "../ui/parts.tsx";
import { decoded, Link, usePlace } from "../ui/route.tsx";
import { ThemeSwitch } from "../ui/theme-switch.tsx";
import { AccountPage } from "./account.tsx";
import { DeliveryPage } from "./delivery.tsx";
import { EndpointPage } from "./endpoint.tsx";
import { Endpoints } from "./endpoints.tsx";
import { EventTypePage, EventTypes } from "./event-types.tsx";
import { Events } from "./events.tsx";
import { useLive } from "./live.ts";
import { PAGES, PRODUCT, ROUTES } from "./place.ts";
import "./portal.css";
import { Register } from "./register.tsx";
import { hasLink, resume, signOut, whyOver, type Resumed } from "./session.ts";
import { SignIn } from "./sign-in.tsx";
import { WhichAccount } from "./which-account.tsx";
import { Verify } from "./verify.tsx";

/** Null: the product has no pages of its own. */
const FREIGHT = tagIn(PRODUCT.tag);
const FREIGHT_NAME = FREIGHT === null ? "" : NAMES[FREIGHT];
const FREIGHT_PATH = FREIGHT_NAME.toLowerCase().replaceAll(" ", "-");

type Page = {
  readonly name: string;
  /** Of the path behind the pages' own. */
  readonly path: string;
  readonly show: (rest: readonly string[]) => ComponentChildren;
};

const PAGE_LIST: readonly Page[] = [
  { name: "Endpoints", path: "endpoints", show: endpointsPage },
  { name: "Events", path: "events", show: ([more]) => (more === undefined ? <Events /> : null) },
  {
    name: "Event types",
    path: "event-types",
    show: ([name, more]) =>
      name === undefined ? (
        <EventTypes />
      ) : more === undefined ? (
        <EventTypePage key={name} name={name} />
      ) : null,
  },
  ...(FREIGHT === null
    ? []
    : [
        {
          name: FREIGHT_NAME,
          path: FREIGHT_PATH,
          show: (rest: readonly string[]) => <Freight tag={FREIGHT} rest={rest} />,
        },
      ]),
  { name: "Verify", path: "verify", show: ([more]) => (more === undefined ? <Verify /> : null) },
  { name: "Account", path: "account", show: ([more]) => (more === undefined ? <AccountPage /> : null) },
];

function endpointsPage([id, part, deliveryId, more]: readonly string[]): ComponentChildren {
  if (id === undefined) return <Endpoints />;
  if (id === "new") return part === undefined ? <Register /> : null;
  if (part === undefined) return <EndpointPage key={id} id={id} />;
  if (part !== "deliveries" || deliveryId === undefined || more !== undefined) return null;
  return <DeliveryPage key={deliveryId} endpointId={id} id={deliveryId} />;
}

function Freight({ tag, rest }: { readonly tag: Tag; readonly rest: readonly string[] }) {
  const { tick } = useLive();
  const place = { routes: ROUTES, pages: `${PAGES}/${FREIGHT_PATH}`, mayChange: true, tick };
  return <ProductView tag={tag} rest={rest} place={place} />;
}

type State = { readonly is: "asking" } | Resumed;

function Portal() {
  const [state, setState] = useState<State>({ is: "asking" });
  useEffect(() => {
    whenSignedOut(() => {
      signOut();
      setState({ is: "out", why: whyOver() });
    });
    void resume().then(setState);
    // A link that is opened in this tab loads no page.
    const open = (): void => void (hasLink() && resume().then(setState));
    addEventListener("hashchange", open);
    return () => removeEventListener("hashchange", open);
  }, []);
  if (state.is === "asking") return null;
  if (state.is === "asked") return <WhichAccount {...state} onChosen={() => setState({ is: "in" })} />;
  if (state.is === "out") return <SignIn why={state.why} onSignedIn={() => setState({ is: "in" })} />;
  return (
    <Frame
      onSignOut={() => {
        signOut();
        setState({ is: "out", why: null });
      }}
    />
  );
}

function Frame({ onSignOut }: { readonly onSignOut: () => void }) {
  const { path } = usePlace();
  const [first = "", ...rest] = path
    .slice(PAGES.length)
    .split("/")
    .filter((part) => part !== "");
  const current = first === "" ? PAGE_LIST[0] : PAGE_LIST.find((page) => page.path === first);
  useFrame(current?.name, PRODUCT.name);
  return (
    <>
      <a class="skip" href="#content">
        To the content
      </a>
      <div class="frame portal">
        <header class="top">
          <Link to={PAGES} class="brand">
            <span class="mark" aria-hidden="true">
              {PRODUCT.initial}
            </span>
            <span class="brand-name">{PRODUCT.name}</span>
          </Link>
          <nav aria-label="Pages">
            {PAGE_LIST.map(({ name, path: at }) => (
              <Link key={at} to={`${PAGES}/${at}`} current={current?.path === at}>
                {name}
              </Link>
            ))}
          </nav>
          <div class="foot">
            <LiveState />
            <ThemeSwitch />
            <button type="button" class="plain" onClick={onSignOut}>
              Sign out
            </button>
          </div>
        </header>
        <main id="content" tabIndex={-1}>
          {current?.show(rest.map(decoded)) ?? (
            <Head title="There is no such page" about={<Link to={PAGES}>To your endpoints</Link>} />
          )}
        </main>
      </div>
    </>
  );
}

function LiveState() {
  const { state } = useLive();
  return (
    <div class={`live ${state}`} role="status">
      <span class="dot" /> {state === "live" ? "Live" : "Not connected; trying again"}
    </div>
  );
}

render(<Portal />, document.querySelector("#app")!);
