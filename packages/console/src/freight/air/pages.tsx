/** The account's air waybills, and the page of one. Nothing here polls an airline. */
import "../freight.css";
import { useState } from "preact/hooks";

import { usePages } from "../../ui/data.tsx";
import { Choice, Search, useFilter } from "../../ui/fields.tsx";
import { Empty, Head, Lines } from "../../ui/parts.tsx";
import { changeQuery, go, Link } from "../../ui/route.tsx";
import { ListSection, type Column } from "../../ui/table.tsx";
import { useClient, useProductPlace } from "../place.tsx";
import type { Air, Stop, Waybill } from "./answers.ts";
import { amountOf, awbText, placeText, StatusBadge } from "./words.tsx";
import { WaybillPage } from "./waybill.tsx";
import { Instant } from "../clocks.tsx";

/** `rest`: what follows the pages' address, part by part; nothing is the first page. */
export function Pages({ rest }: { readonly rest: readonly string[] }) {
  const [awb = ""] = rest;
  return awb === "" ? <Waybills /> : <WaybillPage key={awb} awb={awb} />;
}

const STATUSES = [
  ["", "Any status"],
  ["pending", "Pending"],
  ["unknown", "Unknown"],
  ["booked", "Booked"],
  ["accepted", "Accepted"],
  ["in_transit", "In transit"],
  ["arrived", "Arrived"],
  ["available", "Ready for pickup"],
  ["delivered", "Delivered"],
] as const;

function Waybills() {
  const { pages, tick } = useProductPlace();
  const { filter, isFiltered } = useFilter("status");
  const found = usePages(useClient<Air>().addressOf("/v1/waybills", filter), ({ data }) => data, tick);
  return (
    <>
      <Head title="Air waybills" about="What is tracked, newest first. Looking polls no airline." />
      <Search label="Waybills">
        <NumberField />
        <Choice
          name="Status"
          of={filter.status}
          options={STATUSES}
          set={(status) => changeQuery({ status })}
        />
      </Search>
      <ListSection
        title="Waybills"
        class="fixed"
        of={found}
        columns={columnsOf(pages)}
        none={
          isFiltered ? (
            <Empty title="No waybill has this status">Choose another status above.</Empty>
          ) : (
            <Empty title="No waybill is tracked yet">
              The first <code>GET /air/track/176-12345675</code> with a key of the account starts tracking.
              The account needs the entitlement <code>aircargo</code>, and the airline an entry in{" "}
              <code>BOATHOOK_AIRLINES_FILE</code>.
            </Empty>
          )
        }
      />
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
      width: 144,
      of: ({ awb, airline_name: airline, airline_iata: iata }) => (
        <Lines below={airline ?? iata ?? "airline unknown"}>
          <Link to={`${pages}/${awb}`}>{awbText(awb)}</Link>
        </Lines>
      ),
    },
    {
      name: "Status",
      width: 160,
      of: ({ status, is_split: isSplit }) => (
        <Lines below={isSplit ? "in parts" : ""}>
          <StatusBadge of={status} />
        </Lines>
      ),
    },
    { name: "Route", isWide: true, of: (waybill) => <Route of={waybill} /> },
    {
      name: "Last event",
      width: 200,
      of: ({ last_event: event }) =>
        event === null ? (
          <span class="quiet">none yet</span>
        ) : (
          <Lines below={<Instant at={event.at} />}>
            {event.name} <span class="quiet">{placeText(event.station)}</span>
          </Lines>
        ),
    },
    {
      name: "At destination",
      width: 172,
      of: ({ eta, eta_is_actual: isActual }) => (
        <Lines below={eta === null ? "" : isActual ? "arrived" : "expected"}>
          <Instant at={eta} />
        </Lines>
      ),
    },
    {
      name: "Cargo",
      isNumber: true,
      width: 96,
      of: ({ pieces, weight_kg: weight }) => (
        <Lines below={amountOf(weight, "kg")}>{amountOf(pieces, "pcs")}</Lines>
      ),
    },
  ];
}

const DONE: readonly string[] = ["departed", "arrived", "received"];

/** The stations in their order, and how far the cargo has come. */
function Route({ of: { origin, destination, legs } }: { readonly of: Waybill }) {
  const isKnown = origin !== null || destination !== null;
  const flights = legs.map(({ flight_number: flight }) => flight).join(", ");
  return (
    <Lines below={legs.length === 0 ? "no flight known" : flights}>
      <span class="stations">
        {legs.map((leg, at) => (
          <StopView key={at} of={leg} isFirst={at === 0} before={legs[at - 1]} />
        ))}
        {legs.length === 0 && (isKnown ? `${placeText(origin)} → ${placeText(destination)}` : "not known")}
      </span>
    </Lines>
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
