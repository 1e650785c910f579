/** One shipment: how far it is, its way, and what the carrier said. */
import { useMemo } from "preact/hooks";

import { Found, useLoaded } from "../../ui/data.tsx";
import { Choice, Search } from "../../ui/fields.tsx";
import { Badge, Empty, Head, Note, Section, Stat } from "../../ui/parts.tsx";
import { changeQuery, Link, usePlace } from "../../ui/route.tsx";
import { daysFrom, Moment } from "../clocks.tsx";
import { useClient, useProduct, useProductPlace } from "../place.tsx";
import { Actions } from "./actions.tsx";
import { placeName, type Box, type Detail, type Event, type Journey, type Tracking } from "./answers.ts";
import { EtaChart } from "./eta-chart.tsx";
import { FreeTimeCard } from "./free-time.tsx";
import { WorldMap } from "./map.tsx";
import { routeOf } from "./route.ts";
import { loadSeaRoutes } from "./sea-routes.ts";
import { Timeline } from "../timeline.tsx";
import { saidOf, StatusHistory } from "./timeline.tsx";
import { Reasons, StatusBadge, statusName } from "./words.tsx";

/** A carrier whose answer is older has missed its turn. */
const STALE_MS = 86_400_000;

export function ContainerPage({ id }: { readonly id: string }) {
  const { mayChange, pages } = useProductPlace();
  const detail = useProduct(useClient<Tracking>().addressOf("/v1/containers/{id}", { id }));
  return (
    <>
      <p class="back">
        <Link to={pages}>All containers</Link>
      </p>
      <Found of={detail} name="container">
        {({ data }) => (
          <>
            <Head
              title={<code class="code">{data.reference}</code>}
              badge={
                <>
                  <StatusBadge of={data.status} />
                  <Reasons of={data} />
                </>
              }
              about={<About of={data} />}
            >
              {mayChange && <Actions of={data} onChanged={() => void detail.reload()} />}
            </Head>
            <Trouble of={data} />
            {data.incomplete && <Cut />}
            <Known of={data} />
          </>
        )}
      </Found>
    </>
  );
}

function About({ of }: { readonly of: Detail }) {
  return (
    <>
      {of.carrier === "" ? "Carrier not known yet" : `Carrier ${of.carrier}`} · tracked since{" "}
      <Moment at={of.created_at} /> · last answer <Moment at={of.refreshed_at} none="none yet" /> ·{" "}
      {of.next_refresh_at === null ? (
        "not polled any more"
      ) : (
        <>
          next poll <Moment at={of.next_refresh_at} />
        </>
      )}
    </>
  );
}

/** Why what stands here may be old. */
function Trouble({ of }: { readonly of: Detail }) {
  const { last_failure: failure, refreshed_at: refreshed, next_refresh_at: next } = of;
  const isStale = refreshed !== null && next !== null && Date.now() - Date.parse(refreshed) > STALE_MS;
  if (failure !== null)
    return (
      <Note kind="warn" isStill>
        <p>
          <strong>The last poll had no answer.</strong> {failure.message}
        </p>
        {refreshed !== null && (
          <p>
            What stands below is as of <Moment at={refreshed} />.
          </p>
        )}
      </Note>
    );
  if (isStale)
    return (
      <Note kind="info" isStill>
        <p>
          The carrier last answered {daysFrom(refreshed)}, <Moment at={refreshed} />: what stands below may be
          old.
        </p>
      </Note>
    );
  if (!of.awaiting_next_trip) return null;
  return (
    <Note kind="info" isStill>
      <p>
        The trip below had ended when tracking began. The next one is shown once the carrier reports its
        beginning.
      </p>
    </Note>
  );
}

function Cut() {
  return (
    <Note kind="info" isStill>
      <p>
        <strong>The carrier cut its last answer.</strong> More may have happened than stands below, and what
        the carrier has taken back may still stand there.
      </p>
    </Note>
  );
}

function Known({ of }: { readonly of: Detail }) {
  const { query } = usePlace();
  const wanted = query.get("box");
  const box = of.boxes.find(({ equipment_reference: number }) => number === wanted) ?? null;
  if (of.boxes.length === 0)
    return (
      <Timeline
        reference={of.reference}
        said={[]}
        none={
          <Empty title="Nothing is known yet">
            {of.last_failure === null
              ? "The carrier is being asked. The page fills by itself once it answers."
              : "Once a carrier knows this reference, its journey is shown here."}
          </Empty>
        }
      />
    );
  const journey: Journey = box ?? { ...of, status: of.status as Box["status"] };
  const events =
    box === null
      ? of.events
      : of.events.filter(({ equipment_reference: number }) => number === null || number === wanted);
  return (
    <>
      {of.boxes.length > 1 && <Boxes of={of} wanted={wanted ?? ""} />}
      <Summary of={journey} />
      <Way of={journey} events={events} reference={of.reference} />
      <div class="container-columns">
        <Timeline
          reference={box?.equipment_reference ?? of.reference}
          said={saidOf(events, of.boxes.length > 1 && box === null)}
          none={<p class="quiet">The carrier knows this reference and has not reported an event yet.</p>}
        />
        <div class="container-side">
          <FreeTimeCard of={journey} />
          <Section title="Arrival, as estimated">
            <EtaChart of={journey} />
          </Section>
          <Section title="Status history">
            <StatusHistory of={journey} />
          </Section>
        </div>
      </div>
    </>
  );
}

function Boxes({ of, wanted }: { readonly of: Detail; readonly wanted: string }) {
  return (
    <Search label="Box">
      <Choice
        name="Box"
        of={wanted}
        options={[
          ["", `All ${of.boxes.length}, journey of the one that is least far`],
          ...of.boxes.map(
            ({ equipment_reference: number, status }) =>
              [number ?? "", `${number ?? "not named yet"}, ${statusName(status).toLowerCase()}`] as const,
          ),
        ]}
        set={(box) => changeQuery({ box })}
      />
    </Search>
  );
}

function Summary({ of }: { readonly of: Journey }) {
  const { vessel, voyage, origin, discharge, destination, transshipments, eta } = of;
  const route = [origin, ...transshipments, discharge, destination]
    .flatMap((place) => (place === null ? [] : placeName(place)))
    .filter((name, index, all) => name !== all[index - 1]);
  return (
    <dl class="stats summary">
      <Stat
        name={of.eta_is_actual ? "Arrived" : "Arrival"}
        value={<Moment at={eta} none="not known" />}
        about={eta !== null && `${daysFrom(eta)}, at ${placeName(discharge ?? destination)}`}
      />
      <Stat
        name="Vessel"
        value={vessel?.name ?? vessel?.imo ?? "–"}
        about={
          <span class="parts">
            {voyage !== null && <bdi>voyage {voyage}</bdi>}
            {vessel !== null && vessel.imo !== null && <bdi>IMO {vessel.imo}</bdi>}
          </span>
        }
      />
      <Stat
        name="Route"
        value={route.length === 0 ? "–" : `${route[0]} → ${route.at(-1)}`}
        about={route.length > 2 && `via ${route.slice(1, -1).join(", ")}`}
      />
    </dl>
  );
}

type WayProps = { readonly of: Journey; readonly events: readonly Event[]; readonly reference: string };

function Way({ of, events, reference }: WayProps) {
  const findRoute = useLoaded(loadSeaRoutes, []);
  const drawn = useMemo(
    () => (findRoute === null ? null : routeOf(findRoute, of, events, Date.now())),
    [findRoute, of, events],
  );
  const seen = of.vessel_position;
  if (drawn === null) return <p class="loading">Loading…</p>;
  const { marks, ways } = drawn;
  if (marks.length === 0) return null;
  const places = marks.filter(({ kind }) => kind === "port");
  const vessel = marks.find(({ kind }) => kind === "vessel") ?? null;
  const here = places.findLast(({ isEstimated }) => !isEstimated)?.key;
  return (
    <section class="card map-card" aria-label="Map">
      <WorldMap label={`Map of the way of ${reference}`} marks={marks} ways={ways}>
        <details class="map-list">
          <summary>What is on the map</summary>
          <ol>
            {places.map(({ key, name, isEstimated }) => (
              <li key={key}>
                {name}{" "}
                <span class="quiet">
                  {key === here ? "last reported here" : isEstimated ? "to come" : "passed"}
                </span>
              </li>
            ))}
          </ol>
          {vessel !== null && (
            <p>
              {vessel.name},{" "}
              {seen === null ? (
                <span class="quiet">reckoned from its times</span>
              ) : (
                <>
                  <Badge tone="info">AIS</Badge> {degrees(seen.latitude, "N", "S")}{" "}
                  {degrees(seen.longitude, "E", "W")}, <Moment at={seen.seen_at} />
                </>
              )}
            </p>
          )}
        </details>
      </WorldMap>
    </section>
  );
}

function degrees(value: number, positive: string, negative: string): string {
  return `${Math.abs(value).toFixed(2)}° ${value < 0 ? negative : positive}`;
}
