/** The boards: next departures first, with what has slipped, what is cancelled, and what must be done before. */
import { Shown, usePages } from "../../ui/data.tsx";
import { Empty, Section } from "../../ui/parts.tsx";
import { Link } from "../../ui/route.tsx";
import { ListSection, TableSection, type Column } from "../../ui/table.tsx";
import { untilText } from "../clocks.tsx";
import { useClient, useProduct, useProductPlace } from "../place.tsx";
import type { Port, PortCall, Schedules, Sailing } from "./answers.ts";
import {
  CallTime,
  CutOffs,
  NOT_MADE,
  PortOf,
  SailingState,
  ServiceOf,
  StateBadge,
  VesselOf,
  VoyageOf,
} from "./cells.tsx";
import type { Choice } from "./choice.ts";

type BoardProps = { readonly choice: Choice; readonly ports: readonly Port[] | null };

export function SailingBoard({ choice, ports }: BoardProps) {
  const { origin, destination } = choice;
  if (origin === "" || destination === "")
    return <Unchosen ports={ports} what="Choose where the cargo leaves and where it goes" />;
  return <Sailings key={`${origin} ${destination}`} choice={choice} />;
}

function Sailings({ choice: { origin, destination, from, carrier } }: { readonly choice: Choice }) {
  const { tick } = useProductPlace();
  const asked = { origin, destination, from, carrier, include_cancelled: "true" };
  const found = usePages(
    useClient<Schedules>().addressOf("/public/sailings", asked),
    ({ data }) => data.map((one) => ({ ...one, id: `${one.departure.id} ${one.arrival.id}` })),
    tick,
  );
  return (
    <ListSection
      title="Departures"
      label="Sailings"
      class="fixed"
      of={found}
      columns={SAILING_COLUMNS}
      none={
        <Empty title="No direct sailing is known in these days">
          Choose another day, or the other direction. A carrier's sailings are known when{" "}
          <code>BOATHOOK_SCHEDULES_FILE</code> has a feed of it.
        </Empty>
      }
    />
  );
}

const SAILING_COLUMNS: readonly Column<Sailing & { readonly id: string }>[] = [
  {
    name: "Departs",
    width: 208,
    of: ({ departure }) => <CallTime of={departure} isOff={NOT_MADE.includes(departure.status)} />,
  },
  { name: "Vessel", isWide: true, of: (sailing) => <VesselOf of={sailing} id={sailing.departure.id} /> },
  {
    name: "Service",
    width: 112,
    of: (sailing) => <ServiceOf of={sailing} percent={sailing.reliability?.on_time_percent ?? null} />,
  },
  {
    name: "Cut-offs",
    width: 160,
    of: ({ cut_offs: cutOffs, departure }) => <CutOffs of={cutOffs} status={departure.status} />,
  },
  {
    name: "Arrives",
    width: 208,
    of: ({ arrival }) => <CallTime of={arrival} isOff={NOT_MADE.includes(arrival.status)} />,
  },
  {
    name: "Days",
    width: 60,
    isNumber: true,
    of: ({ transit_days: days }) => (days === null ? "–" : days.toFixed(1)),
  },
  { name: "State", width: 116, of: ({ departure, arrival }) => <SailingState of={[departure, arrival]} /> },
];

export function PortBoard({ choice, ports }: BoardProps) {
  if (choice.port === "") return <Unchosen ports={ports} what="Choose a port" />;
  return <PortCalls key={choice.port} choice={choice} />;
}

function PortCalls({ choice: { port, from, carrier } }: { readonly choice: Choice }) {
  const { tick } = useProductPlace();
  const found = usePages(
    useClient<Schedules>().addressOf("/public/port-calls", {
      port,
      kind: "departure",
      from,
      carrier,
      include_cancelled: "true",
    }),
    ({ data }) => data,
    tick,
  );
  return (
    <ListSection
      title="Departures"
      class="fixed"
      of={found}
      columns={CALL_COLUMNS.filter(({ name }) => name !== "Port")}
      none={
        <Empty title="No departure is known in these days">
          Choose another day or port. The ports are those that the feeds of{" "}
          <code>BOATHOOK_SCHEDULES_FILE</code> name.
        </Empty>
      }
    />
  );
}

const CALL_COLUMNS: readonly Column<PortCall>[] = [
  {
    name: "Port",
    isWide: true,
    of: (call) => (
      <PortOf port={call.port} name={call.port_name}>
        , <VoyageOf of={call} id={call.id} />
      </PortOf>
    ),
  },
  {
    name: "Arrives",
    width: 208,
    of: ({ arrival, status }) => <CallTime of={arrival} isOff={NOT_MADE.includes(status)} />,
  },
  {
    name: "Departs",
    width: 208,
    of: ({ departure, status }) => <CallTime of={departure} isOff={NOT_MADE.includes(status)} />,
  },
  { name: "Vessel", isWide: true, of: (call) => <VesselOf of={call} id={call.id} /> },
  { name: "Service", width: 112, of: (call) => <ServiceOf of={call} /> },
  { name: "Terminal", width: 80, of: ({ terminal }) => terminal ?? <span class="quiet">–</span> },
  {
    name: "Cut-offs",
    width: 160,
    of: ({ cut_offs: cutOffs, status }) => <CutOffs of={cutOffs} status={status} />,
  },
  {
    name: "State",
    width: 116,
    of: ({ status, remark }) => <StateBadge status={status} about={remark ?? ""} />,
  },
];

const TIMES = [
  ["current", "In port now"],
  ["next", "Next calls"],
  ["previous", "Previous calls"],
] as const;

export function VesselBoard({ choice: { vessel } }: { readonly choice: Choice }) {
  if (vessel === "")
    return (
      <Empty title="Choose a vessel">
        Its IMO number stands above; on the other boards a vessel's name leads here.
      </Empty>
    );
  return <VesselCalls key={vessel} imo={vessel} />;
}

function VesselCalls({ imo }: { readonly imo: string }) {
  const { addressOf } = useClient<Schedules>();
  const found = useProduct(addressOf("/public/vessels/{imo}", { imo, include_cancelled: "true" }));
  const columns = CALL_COLUMNS.filter(({ name }) => name !== "Vessel");
  return (
    <Shown of={found}>
      {({ data }) =>
        TIMES.map(([when, title]) => {
          const calls = when === "previous" ? data.previous.toReversed() : data[when];
          return (
            calls.length > 0 && (
              <TableSection
                key={when}
                title={title}
                aside={data.name ?? "no name known"}
                rows={calls}
                columns={columns}
              />
            )
          );
        })
      }
    </Shown>
  );
}

const PORTS_SHOWN_MAX = 24;

/** The ports whose vessels leave first, to begin with. */
function Unchosen({ ports, what }: { readonly ports: readonly Port[] | null; readonly what: string }) {
  const { pages } = useProductPlace();
  if (ports === null) return <p class="loading">Loading…</p>;
  if (ports.length === 0)
    return (
      <Section title="Departures">
        <Empty title="No sailing is known yet">
          Schedules come from the carriers' feeds: name them in <code>BOATHOOK_SCHEDULES_FILE</code>, or push
          them to <code>POST /v1/schedules</code> on the operator's listener.
        </Empty>
      </Section>
    );
  const soonest = ports.toSorted((one, other) => one.next_departure.localeCompare(other.next_departure));
  return (
    <Section title={what} aside="next departures first">
      <ul class="ports">
        {soonest.slice(0, PORTS_SHOWN_MAX).map(({ port, name, next_departure: at }) => (
          <li key={port}>
            <Link to={`${pages}?by=port&port=${encodeURIComponent(port)}`}>{name ?? port}</Link>
            <code>{port}</code>
            <span class="quiet">{untilText(at)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
