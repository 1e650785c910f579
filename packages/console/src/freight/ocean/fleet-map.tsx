/** Where all of an account's containers are. */
import { useMemo, useState } from "preact/hooks";

import { Shown, useLoaded } from "../../ui/data.tsx";
import { Badge, Empty, Head } from "../../ui/parts.tsx";
import { Link } from "../../ui/route.tsx";
import { TableSection, type Column } from "../../ui/table.tsx";
import { daysFrom, Moment } from "../clocks.tsx";
import { useClient, useProduct, useProductPlace } from "../place.tsx";
import { placeName, type Position, type Tracking } from "./answers.ts";
import { WorldMap } from "./map.tsx";
import { fleetOf, keyOf } from "./route.ts";
import { loadSeaRoutes, type FindSeaRoute } from "./sea-routes.ts";
import { statusName } from "./words.tsx";

/** Rows of the list; the map has the rest. */
const LISTED_MAX = 100;

export function FleetMap() {
  const positions = useProduct(useClient<Tracking>().addressOf("/v1/containers/positions"));
  const findRoute = useLoaded(loadSeaRoutes, []);
  return (
    <>
      <Head
        title="Where they are"
        about="Containers on their way, by vessel and place. Those that have ended are left out."
      />
      <Shown of={positions}>
        {({ data }) =>
          findRoute === null ? (
            <p class="loading">Loading…</p>
          ) : (
            <Fleet positions={data} findRoute={findRoute} />
          )
        }
      </Shown>
    </>
  );
}

type FleetProps = { readonly positions: readonly Position[]; readonly findRoute: FindSeaRoute };

function Fleet({ positions, findRoute }: FleetProps) {
  const [picked, setPicked] = useState<string | null>(null);
  const { marks, ways } = useMemo(() => fleetOf(findRoute, positions, Date.now()), [findRoute, positions]);
  const chosen = positions.filter((one) => keyOf(one) === picked);
  const rows = chosen.length > 0 ? chosen : positions.slice(0, LISTED_MAX);
  const count = positions.reduce((sum, { containers }) => sum + containers, 0);
  const vessels = marks.filter(({ kind }) => kind === "vessel").length;
  const label = `Map: ${count.toLocaleString()} containers, ${vessels} vessels, ${marks.length - vessels} places`;
  return (
    <>
      <section class="card map-card" aria-label="Map">
        <WorldMap label={label} marks={marks} ways={ways} picked={picked} onPick={setPicked} />
      </section>
      <TableSection
        title="What is on the map"
        aside={
          chosen.length > 0 ? (
            <button type="button" class="plain" onClick={() => setPicked(null)}>
              Show all again
            </button>
          ) : (
            <span class="quiet">
              {positions.length > LISTED_MAX && `the ${LISTED_MAX} with the most containers`}
            </span>
          )
        }
        rows={rows}
        columns={COLUMNS}
        keyOf={rowKeyOf}
        none={
          <Empty title="No container is on its way">
            A container appears here once its carrier has said where it is, until it is delivered.
          </Empty>
        }
      />
    </>
  );
}

function rowKeyOf({
  vessel,
  place,
  next_place: next,
  departed_at: left,
  arrives_at: arrives,
}: Position): string {
  return JSON.stringify([vessel, placeName(place), left, next === null ? null : placeName(next), arrives]);
}

const COLUMNS: readonly Column<Position>[] = [
  {
    name: "Vessel or place",
    of: ({ vessel, place, departed_at: left }) =>
      left === null ? placeName(place) : (vessel?.name ?? vessel?.imo ?? "A vessel"),
  },
  {
    name: "Way",
    isWide: true,
    of: ({ place, next_place: next, departed_at: left }) =>
      left === null ? (
        <span class="quiet">ashore</span>
      ) : (
        `${placeName(place)} → ${next === null ? "not known" : placeName(next)}`
      ),
  },
  { name: "Left", of: ({ departed_at: at }) => <Moment at={at} /> },
  {
    name: "Arrives",
    of: ({ arrives_at: at }) => (
      <>
        <Moment at={at} />
        {at !== null && <span class="quiet below">{daysFrom(at)}</span>}
      </>
    ),
  },
  {
    name: "Position",
    of: ({ vessel_position: seen, departed_at: left }) =>
      left === null ? (
        <span class="quiet">–</span>
      ) : seen === null ? (
        <span class="quiet">reckoned</span>
      ) : (
        <Badge tone="info">AIS</Badge>
      ),
  },
  { name: "Containers", isNumber: true, of: ({ containers }) => containers.toLocaleString() },
  { name: "Newest", isWide: true, of: (one) => <Newest of={one} /> },
];

function Newest({ of: { newest, containers } }: { readonly of: Position }) {
  const { pages } = useProductPlace();
  return (
    <span class="newest">
      {newest.map(({ id, reference, status }) => (
        <Link key={id} to={`${pages}/${id}`} title={statusName(status)}>
          {reference}
        </Link>
      ))}
      {containers > newest.length && (
        <span class="quiet">and {(containers - newest.length).toLocaleString()} more</span>
      )}
    </span>
  );
}
