/** All that is known of one waybill. */
import { Found } from "../../ui/data.tsx";
import { Badge, Empty, type Fact, Head, Section } from "../../ui/parts.tsx";
import { Link } from "../../ui/route.tsx";
import { TableSection } from "../../ui/table.tsx";
import { Instant, movedBy, Placed } from "../clocks.tsx";
import { useClient, useProduct, useProductPlace } from "../place.tsx";
import { Timeline, type Milestone } from "../timeline.tsx";
import type { Air, DetailedEvent, FlightTimes, Leg, Source, WaybillDetail } from "./answers.ts";
import { StatusBadge, amountOf, awbText, partText, placeText } from "./words.tsx";

export function WaybillPage({ awb }: { readonly awb: string }) {
  const { pages } = useProductPlace();
  const { addressOf } = useClient<Air>();
  const waybill = useProduct(addressOf("/v1/waybills/{awb}", { awb }));
  return (
    <Found of={waybill} name="waybill" back={<Link to={pages}>To all waybills</Link>}>
      {({ data }) => <Known of={data} />}
    </Found>
  );
}

function Known({ of }: { readonly of: WaybillDetail }) {
  const { pages } = useProductPlace();
  return (
    <div class="stack">
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
      <Section title="Waybill" facts={factsOf(of)} />
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
        <Timeline
          reference={of.awb}
          said={of.events.map((event, nth) => saidOf(event, nth, of.pieces))}
          none={
            <Empty title="Nothing is reported yet">
              An airline that only pushes is silent until its first message; others are polled again.
            </Empty>
          }
        />
        <div class="stack">
          <Pieces of={of} />
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

function saidOf(event: DetailedEvent, nth: number, total: number | null): Milestone {
  const { code, station, at, time_is: timeIs } = event;
  return {
    key: `${code} ${nth}`,
    at,
    is: event.planned || (PLANS.includes(code) && isToCome(at)) ? "planned" : "actual",
    isBad: code === "DIS",
    name: event.name,
    mark: <code title="its Cargo-IMP code">{code}</code>,
    where: placeText(station),
    about: detailsOf(event, total),
    when: (
      <Placed at={event} instant={at} none="no time">
        {timeIs !== null && timeIs !== "actual" && <span class="quiet kind"> {timeIs}</span>}
      </Placed>
    ),
  };
}

function isToCome(at: string | null): boolean {
  return at !== null && Date.parse(at) > Date.now();
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
    <TableSection
      title="Pieces by station"
      rows={counts}
      keyOf={({ station }) => station}
      columns={[
        { name: "Station", of: ({ station }) => <strong>{station}</strong> },
        { name: "Received", isNumber: true, of: ({ received }) => part(received) },
        { name: "Departed", isNumber: true, of: ({ departed }) => part(departed) },
        { name: "Delivered", isNumber: true, of: ({ delivered }) => part(delivered) },
      ]}
    />
  );
}

const INTERFACES: Readonly<Record<string, string>> = { fsr: "Status request", "one-record": "ONE Record" };

function Sources({ of }: { readonly of: readonly Source[] }) {
  return (
    <TableSection
      title="What the airline said"
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
      none={<Empty title="Nothing yet" />}
    />
  );
}

function saysText(events: Source["events"]): string {
  return events.map(({ code, station }) => (station === null ? code : `${code} ${station}`)).join(", ");
}

const STATES: Readonly<
  Record<Leg["state"], { readonly name: string; readonly tone: "good" | "info" | "none" }>
> = {
  replaced: { name: "Replaced", tone: "none" },
  booked: { name: "Booked", tone: "none" },
  manifested: { name: "Manifested", tone: "info" },
  departed: { name: "In flight", tone: "info" },
  arrived: { name: "Arrived", tone: "good" },
  received: { name: "Received", tone: "good" },
};

function FlightView({ of, total }: { readonly of: Leg; readonly total: number | null }) {
  const { name, tone } = STATES[of.state];
  return (
    <li class={`flight ${of.state}`}>
      <EndView name="Departs" place={of.from} times={of.departure} />
      <div class="between">
        <strong>{of.flight_number}</strong>
        <span class={`track ${of.state}`} aria-hidden="true" />
        <Badge tone={tone}>{name}</Badge>
      </div>
      <EndView name="Arrives" place={of.to} times={of.arrival} />
      <div class="cargo">
        <span>{of.pieces === null ? "– pcs" : `${partText(of.pieces, total)} pcs`}</span>
        <span class="quiet">{amountOf(of.weight_kg, "kg")}</span>
      </div>
    </li>
  );
}

type EndProps = { readonly name: string; readonly place: string | null; readonly times: FlightTimes };

function EndView({ name, place, times }: EndProps) {
  const { scheduled, estimated, actual } = times;
  const kind =
    actual !== null ? "actual" : estimated !== null ? "estimated" : scheduled !== null ? "scheduled" : null;
  const moved = movedBy(scheduled, actual ?? estimated);
  return (
    <div class="end">
      <span class="hidden">{name}</span>
      <span class="station">{placeText(place)}</span>
      <div>
        <Placed at={times} none="no time known" />
        {kind !== null && (
          <span class="quiet kind">
            {kind}
            {moved !== null && <span class="badge none"> {moved}</span>}
          </span>
        )}
      </div>
    </div>
  );
}

export type StationCount = {
  readonly station: string;
  readonly received: number;
  readonly departed: number;
  readonly delivered: number;
};

const RECEIVED: readonly string[] = ["RCS", "RCT", "RCF", "FIW", "ARR"];
const DEPARTED: readonly string[] = ["DEP", "TFD"];
const DELIVERED: readonly string[] = ["DLV", "DDL"];

/** In the order of the events. An event without a number is of all pieces; more than all have come nowhere. */
function countsOf(events: readonly DetailedEvent[], total: number | null): readonly StationCount[] {
  const happened = events.filter(({ planned }) => !planned);
  const byStation = Map.groupBy(happened, ({ station }) => station ?? "");
  const count = (some: readonly DetailedEvent[], codes: readonly string[]): number => {
    const sums = codes.map((code) =>
      some
        .filter((event) => event.code === code)
        .reduce((sum, { pieces }) => sum + (pieces ?? total ?? 0), 0),
    );
    return Math.min(Math.max(0, ...sums), total ?? Number.POSITIVE_INFINITY);
  };
  return [...byStation]
    .map(([station, some]) => ({
      station,
      received: count(some, RECEIVED),
      departed: count(some, DEPARTED),
      delivered: count(some, DELIVERED),
    }))
    .filter(
      ({ station, received, departed, delivered }) => station !== "" && received + departed + delivered > 0,
    );
}
