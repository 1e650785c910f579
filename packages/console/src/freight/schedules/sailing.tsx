/** One sailing: a vessel's call at the port where it leaves, what its feeds said of it, and when. */
import { Found } from "../../ui/data.tsx";
import { Head, Section } from "../../ui/parts.tsx";
import { Link } from "../../ui/route.tsx";
import { Instant, moveText, Placed } from "../clocks.tsx";
import { useClient, useProduct, useProductPlace } from "../place.tsx";
import { Timeline, type Milestone } from "../timeline.tsx";
import type { CallHistory, CallTimes, Schedules } from "./answers.ts";
import { CallTime, NOT_MADE, PortOf, StateBadge, VesselName } from "./cells.tsx";

export function SailingPage({ id }: { readonly id: string }) {
  const { pages } = useProductPlace();
  const call = useProduct(useClient<Schedules>().addressOf("/public/port-calls/{id}/history", { id }));
  return (
    <Found of={call} name="sailing" back={<Link to={pages}>To the sailings</Link>}>
      {({ data }) => <Known of={data} />}
    </Found>
  );
}

function Known({ of }: { readonly of: CallHistory }) {
  const { pages } = useProductPlace();
  const isOff = NOT_MADE.includes(of.status);
  return (
    <div class="stack">
      <Head
        title={`${of.vessel_name ?? of.vessel_imo ?? "Vessel not named yet"}, voyage ${voyageText(of)}`}
        badge={<StateBadge status={of.status} />}
        about={`${of.carrier} ${of.service}, from ${of.port_name ?? of.port}`}
      >
        <Link to={pages} class="button">
          All sailings
        </Link>
      </Head>
      <Section
        title="Sailing"
        facts={[
          ["Port", <PortOf key="port" port={of.port} name={of.port_name} />],
          ["Arrives", <CallTime key="arrives" of={of.arrival} isOff={isOff} />],
          ["Departs", <CallTime key="departs" of={of.departure} isOff={isOff} />],
          ["Vessel", <VesselName key="vessel" of={of} />],
          ["Service", of.service_name ?? of.service],
          ["Terminal", of.terminal ?? "–"],
          ...(of.remark === null ? [] : [["Remark", of.remark] as const]),
        ]}
      />
      <Timeline reference={referenceOf(of)} said={saidOf(of)} none={null} />
    </div>
  );
}

function voyageText({ voyage }: Pick<CallHistory, "voyage">): string {
  return voyage === "" ? "?" : voyage;
}

/** By which events of it are found: those that are about all calls of its voyage, too. */
function referenceOf({ carrier, service, voyage, vessel_imo: imo }: CallHistory): string {
  return voyage === "" ? (imo ?? `${carrier} ${service}`) : `${service} ${voyage}`;
}

function saidOf(call: CallHistory): readonly Milestone[] {
  const first: Milestone = {
    ...{ key: "first", at: call.first_seen_at, is: "actual", name: "First reported" },
    when: <Placed at={null} instant={call.first_seen_at} />,
  };
  const changes = call.changes.map((change, nth): Milestone => ({
    ...{ key: `${change.field} ${nth}`, at: change.changed_at, is: "actual", name: fieldName(change.field) },
    where: (
      <>
        <Value of={change.from} /> → <Value of={change.to} />
      </>
    ),
    about: change.shift_hours === null ? [] : [moveText(change.shift_hours * HOUR_MS)],
    when: <Placed at={null} instant={change.changed_at} />,
  }));
  const cutOffs = call.cut_offs.map((cutOff): Milestone => ({
    ...{ key: `cut-off ${cutOff.code}`, at: cutOff.at, is: isOver(cutOff.at) ? "actual" : "planned" },
    name: cutOff.name ?? `cut-off ${cutOff.code}`,
    when: <Placed at={cutOff} instant={cutOff.at} />,
  }));
  const calls = [...callOf("Arrival", call.arrival), ...callOf("Departure", call.departure)];
  const all = [first, ...changes, ...cutOffs, ...(NOT_MADE.includes(call.status) ? [] : calls)];
  return all.toSorted((one, other) => Date.parse(one.at ?? "") - Date.parse(other.at ?? ""));
}

function callOf(name: string, times: CallTimes): readonly Milestone[] {
  const { planned, estimated, actual } = times;
  const at = actual ?? estimated ?? planned;
  if (at === null) return [];
  const is = actual !== null ? "actual" : estimated !== null ? "estimated" : "planned";
  return [{ key: name, at, is, name, when: <Placed at={times} instant={at} /> }];
}

const HOUR_MS = 3_600_000;

function isOver(at: string): boolean {
  return Date.parse(at) < Date.now();
}

/** `departure.estimated` → `Departure, estimated`. */
function fieldName(field: string): string {
  const [name = "", part = ""] = field.replace("cut_offs", "cut-off").replaceAll("_", " ").split(".");
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}${part === "" ? "" : `, ${part}`}`;
}

function Value({ of }: { readonly of: string | null }) {
  if (of === null) return <span class="quiet">not known</span>;
  return /^\d{4}-\d\d-\d\dT/.test(of) ? <Instant at={of} /> : <bdi>{of}</bdi>;
}
