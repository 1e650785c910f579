/** The client's portal. */
import type { ProductPlace } from "../freight/place.tsx";
import { ProductView } from "../freight/product.tsx";
import "../style.css";
import { withQuery } from "../ui/api.ts";
import { show, type Page } from "../ui/app.tsx";
import { AccountPage } from "./account.tsx";
import { DeliveryPage } from "./delivery.tsx";
import { EndpointPage } from "./endpoint.tsx";
import { Endpoints, Register } from "./endpoints.tsx";
import { EventTypePage, EventTypes } from "./event-types.tsx";
import { Events } from "./events.tsx";
import { Find } from "./find.tsx";
import { useLive } from "./live.ts";
import { FREIGHT, PAGES, PRODUCT, ROUTES } from "./place.ts";
import "./portal.css";
import { forget, resume, signIn, signOut, whenLinked } from "./session.ts";
import { Verify } from "./verify.tsx";

const TO: ProductPlace["to"] = {
  endpoint: (id) => `${PAGES}/endpoints/${id}`,
  delivery: ({ id, endpoint_id: endpoint }) => `${PAGES}/endpoints/${endpoint}/deliveries/${id}`,
  event: null,
  raised: (reference) => withQuery(`${PAGES}/events`, { reference }),
};

type Freight = NonNullable<typeof FREIGHT>;

function FreightView({
  of: { tag, path },
  rest,
}: {
  readonly of: Freight;
  readonly rest: readonly string[];
}) {
  const { tick } = useLive();
  const pages = `${PAGES}/${path}`;
  const place = { routes: ROUTES, pages, to: TO, owner: null, mayChange: true, tick };
  return <ProductView tag={tag} rest={rest} place={place} />;
}

function freightPage(of: Freight): Page {
  const { name, path } = of;
  return { name, path, parts: Infinity, show: (...rest) => <FreightView of={of} rest={rest} /> };
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
  ...(FREIGHT === null ? [] : [freightPage(FREIGHT)]),
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
