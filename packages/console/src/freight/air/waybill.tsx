/** All that is known of one waybill. */
import { useClient, useProduct, useProductPlace } from "../place.tsx";
import { Shown } from "../../ui/data.tsx";
import { Badge, Empty, Facts, Head, Note, Section, Table, type Fact } from "../../ui/parts.tsx";
import { Link } from "../../ui/route.tsx";
import { Instant, Placed } from "../clocks.tsx";
import type { DetailedEvent, Air, Source, WaybillDetail } from "./answers.ts";
import { FlightView } from "./flights.tsx";
import { countsOf } from "./pieces.ts";
import { StatusBadge } from "./status-badge.tsx";
import { amountOf, awbText, partText, placeText } from "./texts.ts";

export function WaybillPage({ awb }: { readonly awb: string }) {
  const { pages } = useProductPlace();
  const { addressOf } = useClient<Air>();
  const waybill = useProduct(addressOf("/v1/waybills/{awb}", { awb }));
  if (waybill.value === null && waybill.failure !== null)
    return (
      <>
        <Head title={awbText(awb)} about={<Link to={pages}>To all waybills</Link>} />
        <Note kind="bad">{waybill.failure.message}</Note>
      </>
    );
  return <Shown of={waybill}>{({ data }) => <Found of={data} />}</Shown>;
}

function Found({ of }: { readonly of: WaybillDetail }) {
  const { pages } = useProductPlace();
  return (
    <div class="air">
      <Head
        title={awbText(of.awb)}
        badge={
          <>
            <StatusBadge of={of.status} />
            {of.is_split && <Badge tone="none">in parts</Badge>}
          </>
        }
        about={
          <>
            <bdi>{of.airline_name ?? "Airline unknown"}</bdi>, {placeText(of.origin)} to{" "}
            {placeText(of.destination)}
          </>
        }
      >
        <Link to={pages} class="button">
          All waybills
        </Link>
      </Head>
      <Section title="Waybill">
        <Facts of={factsOf(of)} />
      </Section>
      <Section title="Flights">
        {of.legs.length === 0 ? (
          <Empty title="No flight is known yet">
            It appears with the first booking that the airline reports.
          </Empty>
        ) : (
          <ol class="flights">
            {of.legs.map((leg, at) => (
              <FlightView key={at} of={leg} total={of.pieces} />
            ))}
          </ol>
        )}
      </Section>
      <div class="columns uneven">
        <Section title="What happened">
          {of.events.length === 0 ? (
            <Empty title="Nothing is reported yet">
              An airline that only pushes is silent until its first message; others are polled again.
            </Empty>
          ) : (
            <ol class="events">
              {of.events.map((event, at) => (
                <EventView key={at} of={event} total={of.pieces} before={of.events[at - 1]} />
              ))}
            </ol>
          )}
        </Section>
        <div class="stack">
          <Pieces of={of} />
          <Raised of={of} />
          <Sources of={of.sources} />
        </div>
      </div>
    </div>
  );
}

function factsOf(of: WaybillDetail): readonly Fact[] {
  const last = of.events.findLast(({ code, planned }) => !planned && !PLANS.includes(code));
  return [
    [
      "Cargo",
      `${amountOf(of.pieces, of.pieces === 1 ? "piece" : "pieces")}, ${amountOf(of.weight_kg, "kg")}`,
    ],
    ["Last event", last === undefined ? "none yet" : `${last.name}, ${placeText(last.station)}`],
    ["Flight", of.flight_number ?? "–"],
    [
      of.eta_is_actual ? "Arrived at destination" : "Expected at destination",
      <Instant key="eta" at={of.eta} />,
    ],
    ["Airline last answered", <Instant key="refreshed" at={of.refreshed_at} none="not yet" />],
    ["Tracked since", <Instant key="since" at={of.created_at} />],
    ...(of.polling ? [] : [["Tracking", "has ended"] as const]),
  ];
}

type EventProps = {
  readonly of: DetailedEvent;
  readonly total: number | null;
  readonly before: DetailedEvent | undefined;
};

function EventView({ of, total, before }: EventProps) {
  const isPlan = of.planned || PLANS.includes(of.code);
  const told = detailsOf(of, total);
  const isElsewhere = before === undefined || before.station !== of.station;
  return (
    <li class={isPlan ? "plan" : of.code === "DIS" ? "bad" : "done"}>
      <span class="station">{isElsewhere ? placeText(of.station) : ""}</span>
      <div class="what">
        <p>
          <strong>{of.name}</strong> <code title="its Cargo-IMP code">{of.code}</code>
          {of.planned && <Badge tone="none">announced</Badge>}
        </p>
        {told.length > 0 && (
          <p class="quiet told">
            {told.map((part, at) => (
              <bdi key={at}>{part}</bdi>
            ))}
          </p>
        )}
      </div>
      <div class="when">
        <Placed at={of} instant={of.at} none="no time" />
        {of.time_is !== null && of.time_is !== "actual" && <span class="quiet kind">{of.time_is}</span>}
      </div>
    </li>
  );
}

/** They tell of a flight to come, by its time. */
const PLANS: readonly string[] = ["BKD", "PRE", "MAN"];

function detailsOf(of: DetailedEvent, total: number | null): readonly string[] {
  // What is of the whole needs not be said each time.
  const isPart = of.pieces !== null && of.pieces !== total;
  const leg = of.from !== null && of.to !== null ? ` ${of.from}–${of.to}` : "";
  return [
    of.flight_number === null ? "" : `${of.flight_number}${leg}`,
    isPart ? `${partText(of.pieces, of.total_pieces ?? total)} pcs` : "",
    isPart && of.weight_kg !== null ? amountOf(of.weight_kg, "kg") : "",
    of.party ?? "",
    ...of.ulds,
    ...of.remarks,
  ].filter((part) => part !== "");
}

/** How many pieces have come how far, by station. */
function Pieces({ of }: { readonly of: WaybillDetail }) {
  const counts = countsOf(of.events, of.pieces);
  if (counts.length === 0) return null;
  const part = (pieces: number) =>
    pieces === 0 ? <span class="quiet">–</span> : partText(pieces, of.pieces);
  return (
    <Section title="Pieces by station">
      <Table
        label="Pieces by station"
        rows={counts}
        keyOf={({ station }) => station}
        columns={[
          { name: "Station", of: ({ station }) => <strong>{station}</strong> },
          { name: "Received", isNumber: true, of: ({ received }) => part(received) },
          { name: "Departed", isNumber: true, of: ({ departed }) => part(departed) },
          { name: "Delivered", isNumber: true, of: ({ delivered }) => part(delivered) },
        ]}
      />
    </Section>
  );
}

function Raised({ of }: { readonly of: WaybillDetail }) {
  return (
    <Section title="Events raised">
      {of.raised.length === 0 ? (
        <Empty title="None yet">
          An event is raised when the status changes while the waybill is tracked.
        </Empty>
      ) : (
        <Table
          label="Events raised"
          rows={of.raised}
          keyOf={({ id }) => id}
          columns={[
            {
              name: "Event",
              of: ({ id, type }) => (
                <>
                  {type}
                  <code class="second quiet" title={id}>
                    {id.slice(0, 8)}…{id.slice(-6)}
                  </code>
                </>
              ),
            },
            { name: "Raised", of: ({ raised_at: at }) => <Instant at={at} /> },
          ]}
        />
      )}
    </Section>
  );
}

const INTERFACES: Readonly<Record<string, string>> = { fsr: "Status request", "one-record": "ONE Record" };

function Sources({ of }: { readonly of: readonly Source[] }) {
  return (
    <Section title="What the airline said">
      {of.length === 0 ? (
        <Empty title="Nothing yet" />
      ) : (
        <Table
          label="What the airline said"
          rows={of}
          keyOf={({ kind, id }) => `${kind} ${id}`}
          columns={[
            {
              name: "Source",
              of: ({ kind, id }) =>
                kind === "answer" ? (INTERFACES[id] ?? id) : <code title="of the pushed message">{id}</code>,
            },
            { name: "When", of: ({ said_at: at }) => <Instant at={at} /> },
            { name: "Says", of: ({ events }) => saysText(events) },
          ]}
        />
      )}
    </Section>
  );
}

function saysText(events: Source["events"]): string {
  return events.map(({ code, station }) => (station === null ? code : `${code} ${station}`)).join(", ");
}
