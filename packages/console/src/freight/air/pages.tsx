/** The account's air waybills, and the page of one. Nothing here polls an airline. */
import "../freight.css";
import { useState } from "preact/hooks";

import { withQuery } from "../../ui/api.ts";
import { Listed, usePages } from "../../ui/data.tsx";
import { Empty, Head, Section, Table, type Column } from "../../ui/parts.tsx";
import { go, Link, usePlace } from "../../ui/route.tsx";
import { useClient, useProductPlace } from "../place.tsx";
import type { Air, Stop, Waybill } from "./answers.ts";
import { amountOf, awbText, placeText } from "./texts.ts";
import { StatusBadge } from "./status-badge.tsx";
import { WaybillPage } from "./waybill.tsx";
import { Instant } from "../clocks.tsx";

/** `rest`: what follows the pages' address, part by part; nothing is the first page. */
export function Pages({ rest }: { readonly rest: readonly string[] }) {
  const [awb = ""] = rest;
  return awb === "" ? <Waybills /> : <WaybillPage key={awb} awb={awb} />;
}

const STATUSES = [
  ["pending", "Pending"],
  ["booked", "Booked"],
  ["accepted", "Accepted"],
  ["in_transit", "In transit"],
  ["arrived", "Arrived"],
  ["available", "Ready for pickup"],
  ["delivered", "Delivered"],
] as const;

function Waybills() {
  const { query } = usePlace();
  const { pages, tick } = useProductPlace();
  const status = query.get("status") ?? "";
  const found = usePages(useClient<Air>().addressOf("/v1/waybills", { status }), ({ data }) => data, tick);
  return (
    <>
      <Head title="Air waybills" about="What is tracked, newest first. Looking polls no airline." />
      <form class="filters" role="search" aria-label="Waybills" onSubmit={(event) => event.preventDefault()}>
        <NumberField />
        <label>
          Status
          <select
            value={status}
            onChange={({ currentTarget }) => go(withQuery(pages, { status: currentTarget.value }), true)}
          >
            <option value="">Any status</option>
            {STATUSES.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </form>
      <Section title="Waybills" class="air">
        <Listed
          of={found}
          empty={
            status === "" ? (
              <Empty title="No waybill is tracked yet">
                The first <code>GET /air/track/176-12345675</code> with a key of the account starts tracking.
                The account needs the entitlement <code>aircargo</code>, and the airline an entry in{" "}
                <code>BOATHOOK_AIRLINES_FILE</code>.
              </Empty>
            ) : (
              <Empty title="No waybill has this status">Choose another status above.</Empty>
            )
          }
        >
          {(rows, isCut) => (
            <Table
              label="Waybills"
              class="clipped waybills"
              rows={rows}
              isCut={isCut}
              keyOf={({ id }) => id}
              columns={columnsOf(pages)}
            />
          )}
        </Listed>
      </Section>
    </>
  );
}

/** Opens the waybill of a number once it is whole. */
function NumberField() {
  const { pages } = useProductPlace();
  const [typed, setTyped] = useState("");
  const digits = typed.replaceAll(/\D/g, "");
  const isWrong = typed !== "" && digits.length !== AWB_DIGITS;
  const open = (): void => {
    if (digits.length === AWB_DIGITS) go(`${pages}/${digits}`);
  };
  return (
    <label class="grow">
      Waybill
      <input
        value={typed}
        placeholder="number, such as 176-12345675: opens it"
        inputMode="numeric"
        spellcheck={false}
        aria-invalid={isWrong}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={({ key }) => key === "Enter" && open()}
        onChange={open}
      />
    </label>
  );
}

const AWB_DIGITS = 11;

function columnsOf(pages: string): readonly Column<Waybill>[] {
  return [
    {
      name: "Waybill",
      of: ({ awb, airline_name: airline, airline_iata: iata }) => (
        <>
          <Link to={`${pages}/${awb}`} class="awb">
            {awbText(awb)}
          </Link>
          <span class="second quiet">{airline ?? iata ?? "airline unknown"}</span>
        </>
      ),
    },
    {
      name: "Status",
      of: ({ status, is_split: isSplit }) => (
        <>
          <StatusBadge of={status} />
          <span class="second quiet">{isSplit ? "in parts" : ""}</span>
        </>
      ),
    },
    { name: "Route", isWide: true, of: (waybill) => <Route of={waybill} /> },
    {
      name: "Last event",
      of: ({ last_event: event }) =>
        event === null ? (
          <span class="quiet">none yet</span>
        ) : (
          <>
            <span class="first">
              {event.name} <span class="quiet">{placeText(event.station)}</span>
            </span>
            <span class="second quiet">
              <Instant at={event.at} />
            </span>
          </>
        ),
    },
    {
      name: "At destination",
      of: ({ eta, eta_is_actual: isActual }) =>
        eta === null ? (
          <span class="quiet">–</span>
        ) : (
          <>
            <span class="first">
              <Instant at={eta} />
            </span>
            <span class="second quiet">{isActual ? "arrived" : "expected"}</span>
          </>
        ),
    },
    {
      name: "Cargo",
      isNumber: true,
      of: ({ pieces, weight_kg: weight }) => (
        <>
          <span class="first">{amountOf(pieces, "pcs")}</span>
          <span class="second quiet">{amountOf(weight, "kg")}</span>
        </>
      ),
    },
  ];
}

const DONE: readonly string[] = ["departed", "arrived", "received"];

/** The stations in their order, and how far the cargo has come. */
function Route({ of }: { readonly of: Waybill }) {
  const { origin, destination, legs } = of;
  const ends =
    origin === null && destination === null
      ? "not known"
      : `${placeText(origin)} → ${placeText(destination)}`;
  return (
    <>
      <span class="first stations">
        {legs.length === 0
          ? ends
          : legs.map((leg, at) => <StopView key={at} of={leg} isFirst={at === 0} before={legs[at - 1]} />)}
      </span>
      <span class="second quiet">
        {legs.length === 0 ? "no flight known" : legs.map(({ flight_number: flight }) => flight).join(", ")}
      </span>
    </>
  );
}

type StopProps = { readonly of: Stop; readonly isFirst: boolean; readonly before: Stop | undefined };

function StopView({ of: { from, to, state }, isFirst, before }: StopProps) {
  const isBehind = DONE.includes(state);
  // Parts may fly apart: then the next flight begins elsewhere.
  const isApart = isFirst || before?.to !== from;
  return (
    <>
      {isApart && <span>{`${isFirst ? "" : " · "}${placeText(from)}`}</span>}
      <span class={isBehind ? "way done" : "way"} aria-hidden="true" />
      <span class={isBehind && state !== "departed" ? "" : "quiet"}>{placeText(to)}</span>
    </>
  );
}
