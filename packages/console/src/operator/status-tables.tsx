/** Parts of the service's status, as tables. */
import { count } from "../ui/numbers.ts";
import { Badge, Empty } from "../ui/parts.tsx";
import { Link } from "../ui/route.tsx";
import { TableSection, type Column } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import type { Status } from "./answers.ts";

/** Cells of accounts have a number for a name; those of a product hold none. */
const OF_ACCOUNTS = /^\d+$/;

type StatusProps = { readonly status: Status | null };

export function Reasons({ status }: StatusProps) {
  return (
    <TableSection
      title="Why deliveries wait"
      rows={status?.failing ?? []}
      keyOf={({ reason }) => reason}
      columns={[
        { name: "Failure", of: ({ reason }) => <code>{reason}</code> },
        { name: "Deliveries", isNumber: true, of: ({ deliveries }) => count(deliveries) },
        { name: "Endpoints", isNumber: true, of: ({ endpoints }) => count(endpoints) },
      ]}
      none={<Empty title="No delivery waits after a failure" />}
    />
  );
}

export function Sources({ status }: StatusProps) {
  const { failing = [], down = [], paused = [] } = status?.upstreams ?? {};
  return (
    <TableSection
      title="Sources in trouble"
      aside={<Link to="/console/sources">All sources</Link>}
      rows={[
        ...failing.map(({ source, text, polls }) => ({
          source,
          what: text,
          polls,
          since: null,
          until: null,
        })),
        ...down.map(({ source, text, since }) => ({ source, what: text, polls: null, since, until: null })),
        ...paused.map(({ source, until }) => ({ source, what: "paused", polls: null, since: null, until })),
      ]}
      keyOf={({ source, what }) => `${source} ${what}`}
      columns={[
        { name: "Source", of: ({ source }) => source || "not known yet" },
        {
          name: "Trouble",
          isWide: true,
          of: ({ what, since, until }) =>
            until === null ? (
              <>
                {since !== null && (
                  <>
                    Down since <Time at={since} />:{" "}
                  </>
                )}
                {what}
              </>
            ) : (
              <>
                Paused until <Time at={until} />
              </>
            ),
        },
        { name: "Polls", isNumber: true, of: ({ polls }) => (polls === null ? "–" : count(polls)) },
      ]}
      none={<Empty title="None">Carriers, airlines and feeds that are polled answer.</Empty>}
    >
      {failing.length > 0 && (
        <p class="quiet">
          Polls are shipments whose last poll failed, by where they are asked next. A source may have answered
          since: its page has the latest.
        </p>
      )}
    </TableSection>
  );
}

type Node = Status["nodes"][number];

const NODE: readonly Column<Node>[] = [
  { name: "Process", isWide: true, of: ({ process }) => <code>{process}</code> },
  { name: "Address", of: ({ address }) => address || "this machine" },
  { name: "Cells", isNumber: true, of: ({ cells }) => count(cells) },
];

const DESCRIBED: readonly Column<Node>[] = [
  ...NODE,
  { name: "Host", of: ({ host }) => host || "–" },
  { name: "Build", of: ({ build }) => build || "–" },
  { name: "Roles", of: ({ roles }) => roles.replaceAll(",", ", ") || "–" },
  { name: "Since", of: ({ started_at: at }) => <Time at={at} /> },
];

type NodesProps = StatusProps & { readonly isDescribed?: boolean };

export function Nodes({ status, isDescribed = false }: NodesProps) {
  const columns = isDescribed ? DESCRIBED : NODE;
  return (
    <TableSection
      title="Nodes"
      rows={status?.nodes ?? []}
      keyOf={({ process }) => process}
      columns={columns}
    />
  );
}

export function Cells({ status }: StatusProps) {
  return (
    <TableSection
      title="Cells"
      rows={status?.cells ?? []}
      keyOf={({ name }) => name}
      columns={[
        { name: "Cell", of: ({ name }) => name },
        { name: "Server", of: ({ server }) => server || "–" },
        { name: "Accounts", isNumber: true, of: ({ accounts }) => count(accounts) },
        {
          name: "State",
          of: ({ name, trouble, open }) =>
            trouble !== null ? (
              <Badge tone="bad">{trouble}</Badge>
            ) : (
              <>
                <Badge tone="good">Works</Badge>
                {!open && OF_ACCOUNTS.test(name) && <span class="quiet">closed to new accounts</span>}
              </>
            ),
        },
      ]}
    />
  );
}
