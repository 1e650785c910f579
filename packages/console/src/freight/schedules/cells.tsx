/** What stands in the cells of a board: times and how far they moved, states, vessels, services, cut-offs. */
import type { ComponentChildren } from "preact";

import { Badge, type Tone, Lines } from "../../ui/parts.tsx";
import { Link } from "../../ui/route.tsx";
import { isDaysApart, movedBy, Placed, untilText } from "../clocks.tsx";
import { useProductPlace } from "../place.tsx";
import type { CallTimes, CutOff, Sailing } from "./answers.ts";

export const NOT_MADE: readonly string[] = ["blanked", "slid", "omitted", "missing"];

/** What the state of a call is called, and how it is shown. */
const STATES: Readonly<Record<string, readonly [tone: Tone, name: string]>> = {
  expected: ["none", "Expected"],
  uncertain: ["warn", "Uncertain"],
  arrived: ["info", "In port"],
  departed: ["good", "Departed"],
  blanked: ["bad", "Blanked"],
  slid: ["bad", "Slid"],
  omitted: ["bad", "Omitted"],
  missing: ["bad", "Missing"],
};

export function SailingState({ of }: { readonly of: readonly [Sailing["departure"], Sailing["arrival"]] }) {
  const [leaves, comes] = of;
  // What keeps the sailing from being made is said of the call that it happens to.
  const isAtEnd = !NOT_MADE.includes(leaves.status) && NOT_MADE.includes(comes.status);
  const call = isAtEnd ? comes : leaves;
  return <StateBadge status={call.status} about={isAtEnd ? `at ${comes.port}` : (leaves.remark ?? "")} />;
}

export function StateBadge({ status, about = "" }: { readonly status: string; readonly about?: string }) {
  const [tone, name] = STATES[status] ?? ["none", status];
  return (
    <>
      <Badge tone={tone}>{name}</Badge>
      <span class="second quiet" title={about}>
        {about}
      </span>
    </>
  );
}

/** The time that is expected, and how far it is from the one that was known first. */
export function CallTime({ of, isOff }: { readonly of: CallTimes; readonly isOff: boolean }) {
  const now = of.actual ?? of.estimated ?? of.planned;
  const moved = movedBy(of.first, now);
  return (
    <div class={isOff ? "call off" : "call"}>
      <Placed at={of} instant={now} none="no time">
        {moved !== null && (
          <span
            class={`badge moved ${isDaysApart(of.first, now) ? "warn" : "none"}`}
            title={`first known: ${of.first}`}
          >
            {moved}
          </span>
        )}
      </Placed>
    </div>
  );
}

type VoyageProps = {
  readonly of: Pick<Sailing, "voyage">;
  /** Of the call that it begins with. */
  readonly id: string;
};

/** Leads to the page of the sailing. */
export function VoyageOf({ of: { voyage }, id }: VoyageProps) {
  const { pages } = useProductPlace();
  return <Link to={`${pages}/sailings/${id}`}>voyage {voyage === "" ? "?" : voyage}</Link>;
}

type Named = Pick<Sailing, "vessel_name" | "vessel_imo">;

export function VesselName({ of: { vessel_name: name, vessel_imo: imo } }: { readonly of: Named }) {
  const { pages } = useProductPlace();
  const text = name ?? imo ?? "not named yet";
  return imo === null ? (
    <>{text}</>
  ) : (
    <Link to={`${pages}?by=vessel&vessel=${encodeURIComponent(imo)}`}>{text}</Link>
  );
}

export function VesselOf({ of, id }: VoyageProps & { readonly of: Named }) {
  return (
    <Lines below={<VoyageOf of={of} id={id} />}>
      <VesselName of={of} />
    </Lines>
  );
}

type ServiceProps = {
  readonly of: Pick<Sailing, "carrier" | "service" | "service_name">;
  readonly percent?: number | null;
};

export function ServiceOf({ of: { carrier, service, service_name: name }, percent = null }: ServiceProps) {
  return (
    <Lines below={percent === null ? name : `${Math.round(percent)} % on time`}>
      {carrier} {service}
    </Lines>
  );
}

/** The next one, and how many there are. Nothing is due for a call that is not made. */
export function CutOffs({ of, status }: { readonly of: readonly CutOff[]; readonly status: string }) {
  const [first] = of;
  if (first === undefined) return <span class="quiet">none known</span>;
  const next = NOT_MADE.includes(status) ? null : of.find(({ at }) => Date.parse(at) > Date.now());
  const all = of.map(({ code, name, at }) => `${name ?? code}: ${at}`).join("\n");
  if (next === undefined || next === null)
    return (
      <span class="quiet" title={all}>
        {next === null ? "not made" : "all have passed"}
      </span>
    );
  const isNear = Date.parse(next.at) - Date.now() < NEAR_MS;
  const others = of.length - 1;
  return (
    <span title={all}>
      <Lines
        below={
          <>
            <bdi>{next.name ?? next.code}</bdi>
            {others > 0 && `, ${others} more`}
          </>
        }
      >
        <strong>
          <bdi>{next.code}</bdi>
        </strong>{" "}
        <span class={isNear ? "near" : ""}>{untilText(next.at)}</span>
      </Lines>
    </span>
  );
}

const NEAR_MS = 48 * 3_600_000;

type PortProps = {
  readonly port: string;
  readonly name: string | null;
  /** Stands behind its code. */
  readonly children?: ComponentChildren;
};

export function PortOf({ port, name, children }: PortProps) {
  const { pages } = useProductPlace();
  return (
    <Lines
      below={
        <>
          {port}
          {children}
        </>
      }
    >
      <Link to={`${pages}?by=port&port=${encodeURIComponent(port)}`}>{name ?? port}</Link>
    </Lines>
  );
}
