/** The client's portal. */
import type { Tag } from "../freight/place.tsx";
import { NAMES, ProductView, tagIn } from "../freight/product.tsx";
import "../style.css";
import { show, type Page } from "../ui/app.tsx";
import { AccountPage } from "./account.tsx";
import { DeliveryPage } from "./delivery.tsx";
import { EndpointPage } from "./endpoint.tsx";
import { Endpoints, Register } from "./endpoints.tsx";
import { EventTypePage, EventTypes } from "./event-types.tsx";
import { Events } from "./events.tsx";
import { Find } from "./find.tsx";
import { useLive } from "./live.ts";
import { PAGES, PRODUCT, ROUTES } from "./place.ts";
import "./portal.css";
import { forget, resume, signIn, signOut, whenLinked } from "./session.ts";
import { Verify } from "./verify.tsx";

function Freight({
  tag,
  path,
  rest,
}: {
  readonly tag: Tag;
  readonly path: string;
  readonly rest: readonly string[];
}) {
  const { tick } = useLive();
  const place = {
    routes: ROUTES,
    pages: `${PAGES}/${path}`,
    raised: `${PAGES}/events?reference=`,
    mayChange: true,
    tick,
  };
  return <ProductView tag={tag} rest={rest} place={place} />;
}

/** None: the product has no pages of its own. */
function freightPages(): readonly Page[] {
  const tag = tagIn(PRODUCT.tag);
  if (tag === null) return [];
  const path = NAMES[tag].toLowerCase().replaceAll(" ", "-");
  return [
    {
      name: NAMES[tag],
      path,
      parts: Infinity,
      show: (...rest) => <Freight tag={tag} path={path} rest={rest} />,
    },
  ];
}

const PAGE_LIST: readonly Page[] = [
  {
    name: "Endpoints",
    path: "endpoints",
    parts: 3,
    show(id, part, deliveryId) {
      if (id === undefined) return <Endpoints />;
      if (part === undefined) return id === "new" ? <Register /> : <EndpointPage key={id} id={id} />;
      if (part !== "deliveries" || deliveryId === undefined) return null;
      return <DeliveryPage key={deliveryId} endpointId={id} id={deliveryId} />;
    },
  },
  { name: "Events", path: "events", show: () => <Events /> },
  {
    name: "Event types",
    path: "event-types",
    parts: 1,
    show: (name) => (name === undefined ? <EventTypes /> : <EventTypePage key={name} name={name} />),
  },
  ...freightPages(),
  { name: "Verify", path: "verify", show: () => <Verify /> },
  { name: "Account", path: "account", show: () => <AccountPage /> },
  { name: "Find", path: "find", isOfSearch: true, show: () => <Find /> },
];

const MARK = (
  <span class="mark" aria-hidden="true">
    {PRODUCT.initial}
  </span>
);

show({
  site: PRODUCT.name,
  class: "portal",
  address: PAGES,
  pages: PAGE_LIST,
  back: "To your endpoints",
  brand: (
    <>
      {MARK}
      <span class="brand-name">{PRODUCT.name}</span>
    </>
  ),
  mark: MARK,
  door: {
    title: PRODUCT.name,
    about: "Your webhooks: endpoints, deliveries and events",
    secret: "API key",
    hint: "The key that your programs send. The page does not keep it, but a session, which ends when the key is revoked, and soon after you have closed the page.",
    signIn,
  },
  resume,
  signOut,
  forget,
  watch: whenLinked,
  useLive,
});
