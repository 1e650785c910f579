/** The operator's console. */
import { useState } from "preact/hooks";

import { AccountProduct, AccountPage, Accounts } from "./operator/accounts.tsx";
import { Deliveries, DeliveryPage } from "./operator/deliveries.tsx";
import { EndpointPage, Endpoints } from "./operator/endpoints.tsx";
import { EventPage, Events } from "./operator/events.tsx";
import { Find } from "./operator/find.tsx";
import { startLive, useLive } from "./operator/live.ts";
import { Overview } from "./operator/overview.tsx";
import { forget, resume, signIn, signOut, whenChangedElsewhere } from "./operator/session.ts";
import { SourcePage, Sources } from "./operator/sources.tsx";
import { System } from "./operator/system.tsx";
import "./style.css";
import { show, type Page } from "./ui/app.tsx";

const PAGES: readonly Page[] = [
  { name: "Overview", path: "", show: () => <Overview /> },
  {
    name: "Accounts",
    path: "accounts",
    parts: Infinity,
    show: (id, tag, ...rest) => {
      if (id === undefined) return <Accounts />;
      if (tag === undefined) return <AccountPage key={id} id={id} />;
      return <AccountProduct key={id} id={id} tag={tag} rest={rest} />;
    },
  },
  {
    name: "Endpoints",
    path: "endpoints",
    parts: 1,
    show: (id) => (id === undefined ? <Endpoints /> : <EndpointPage key={id} id={id} />),
  },
  {
    name: "Deliveries",
    path: "deliveries",
    parts: 1,
    show: (id) => (id === undefined ? <Deliveries /> : <DeliveryPage key={id} id={id} />),
  },
  {
    name: "Events",
    path: "events",
    parts: 1,
    show: (id) => (id === undefined ? <Events /> : <EventPage key={id} id={id} />),
  },
  {
    name: "Sources",
    path: "sources",
    parts: 1,
    show: (id) => (id === undefined ? <Sources /> : <SourcePage key={id} id={id} />),
  },
  { name: "System", path: "system", show: () => <System /> },
  { name: "Find", path: "find", isOfSearch: true, show: () => <Find /> },
];

function News() {
  const { status } = useLive();
  const [version] = useState({ first: "" });
  version.first ||= status?.version ?? "";
  if (status === null || status.version === version.first) return null;
  return (
    <button type="button" class="plain" onClick={() => location.reload()}>
      A new version runs: load it
    </button>
  );
}

show({
  site: "Boathook",
  class: "",
  address: "/console",
  pages: PAGES,
  back: "To the overview",
  brand: (
    <>
      <img src="/console/assets/icon.svg" alt="" width="24" height="24" /> Boathook
    </>
  ),
  mark: null,
  door: {
    title: "Boathook",
    about: "The operator's console",
    secret: "Operator's token",
    hint: (
      <>
        It is what <code>BOATHOOK_OPERATOR_TOKEN</code> says, or else stands in <code>operator.token</code> in
        the data folder: <code>cat data/operator.token</code>
      </>
    ),
    signIn,
  },
  resume,
  signOut,
  forget,
  watch: whenChangedElsewhere,
  startLive,
  useLive,
  News,
});
