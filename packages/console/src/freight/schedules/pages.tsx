/** A board of departures, as at a station: between two ports, of a port, or of a vessel; and how reliable services are. */
import "../freight.css";
import { withQuery } from "../../ui/api.ts";
import { Head } from "../../ui/parts.tsx";
import { go, usePlace } from "../../ui/route.tsx";
import { useClient, useProduct, useProductPlace } from "../place.tsx";
import type { Port, Schedules } from "./answers.ts";
import { CodeField } from "../code-field.tsx";
import { FIELDS, KINDS, type Choice } from "./choice.ts";
import { PortBoard, SailingBoard, VesselBoard } from "./boards.tsx";
import { ReliabilityView } from "./reliability.tsx";

export function Pages(_: { readonly rest: readonly string[] }) {
  const { query } = usePlace();
  const { pages } = useProductPlace();
  const ports = useProduct(useClient<Schedules>().addressOf("/public/ports"));
  const chosen = Object.fromEntries(FIELDS.map((name) => [name, query.get(name) ?? ""]));
  const by = KINDS.find(([kind]) => kind === query.get("by"))?.[0] ?? "route";
  const choice = { ...chosen, by } as Choice;
  const change = (part: Partial<Choice>): void => {
    const { by: kind, ...rest } = { ...choice, ...part };
    go(withQuery(pages, { by: kind === "route" ? "" : kind, ...rest }), true);
  };
  const known = ports.value?.data ?? null;
  const nameOf = (code: string): string => known?.find(({ port }) => port === code)?.name ?? code;
  return (
    <div class="sailings stack">
      <Head title={titleOf(choice, nameOf)} about="Times are by the clock of the port; yours stands below.">
        <fieldset class="switch">
          <legend class="hidden">Board of</legend>
          {KINDS.map(([kind, name]) => (
            <label key={kind}>
              <input type="radio" name="by" checked={by === kind} onChange={() => change({ by: kind })} />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
      </Head>
      <Choices choice={choice} change={change} ports={known ?? []} />
      <Board choice={choice} ports={known} />
      <ReliabilityView carrier={choice.carrier} />
    </div>
  );
}

function titleOf(
  { by, origin, destination, port, vessel }: Choice,
  nameOf: (code: string) => string,
): string {
  if (by === "port" && port !== "") return `Departures from ${nameOf(port)}`;
  if (by === "vessel" && vessel !== "") return `Calls of vessel ${vessel}`;
  if (by === "route" && origin !== "" && destination !== "")
    return `${nameOf(origin)} to ${nameOf(destination)}`;
  return "Sailings";
}

function Board({ choice, ports }: { readonly choice: Choice; readonly ports: readonly Port[] | null }) {
  if (choice.by === "port") return <PortBoard choice={choice} ports={ports} />;
  if (choice.by === "vessel") return <VesselBoard choice={choice} />;
  return <SailingBoard choice={choice} ports={ports} />;
}

type ChoicesProps = {
  readonly choice: Choice;
  readonly change: (part: Partial<Choice>) => void;
  readonly ports: readonly Port[];
};

function Choices({ choice, change, ports }: ChoicesProps) {
  const codes = ports.map(({ port, name }) => ({ code: port, name: name ?? "" }));
  const port = (name: "origin" | "destination" | "port", label: string, example: string) => (
    <CodeField
      key={name}
      label={label}
      value={choice[name]}
      placeholder={`UN/LOCODE, such as ${example}`}
      codes={codes}
      onCode={(code) => change({ [name]: code })}
    />
  );
  const isTurnable = choice.origin !== "" || choice.destination !== "";
  const turn = (): void => change({ origin: choice.destination, destination: choice.origin });
  return (
    <form class="filters" role="search" aria-label="Sailings" onSubmit={(event) => event.preventDefault()}>
      {choice.by === "route" && [
        port("origin", "From", "SGSIN"),
        <button key="turn" type="button" title="Turn the direction" disabled={!isTurnable} onClick={turn}>
          <span aria-hidden="true">⇄</span>
          <span class="hidden">Turn the direction</span>
        </button>,
        port("destination", "To", "NLRTM"),
      ]}
      {choice.by === "port" && port("port", "Port", "NLRTM")}
      {choice.by === "vessel" && (
        <CodeField
          label="Vessel"
          value={choice.vessel}
          placeholder="IMO number, such as 9321483"
          onCode={(vessel) => change({ vessel })}
        />
      )}
      {choice.by !== "vessel" && (
        <label>
          From the day
          <input
            type="date"
            value={choice.from}
            onChange={({ currentTarget }) => change({ from: currentTarget.value })}
          />
        </label>
      )}
      <CodeField
        label="Carrier"
        value={choice.carrier}
        placeholder="SCAC: all"
        isNarrow
        onCode={(carrier) => change({ carrier })}
      />
    </form>
  );
}
