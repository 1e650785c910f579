/** A board of departures, as at a station: between two ports, of a port, or of a vessel; and how reliable services are. */
import "../freight.css";
import { DateField, Search, Switch, useFilter, CodeField } from "../../ui/fields.tsx";
import { Head, NoPage } from "../../ui/parts.tsx";
import { changeQuery } from "../../ui/route.tsx";
import { useClient, useProduct, useProductPlace } from "../place.tsx";
import type { Port, Schedules } from "./answers.ts";
import { FIELDS, KINDS, type Choice } from "./choice.ts";
import { PortBoard, SailingBoard, VesselBoard } from "./boards.tsx";
import { ReliabilityView } from "./reliability.tsx";
import { SailingPage } from "./sailing.tsx";

export function Pages({ rest: [part, id] }: { readonly rest: readonly string[] }) {
  const { pages } = useProductPlace();
  if (part === "sailings" && id !== undefined) return <SailingPage key={id} id={id} />;
  return part === undefined ? <Boards /> : <NoPage to={pages} above="To the boards" />;
}

function Boards() {
  const { filter } = useFilter("by", ...FIELDS);
  const ports = useProduct(useClient<Schedules>().addressOf("/public/ports"));
  const by = KINDS.find(([kind]) => kind === filter.by)?.[0] ?? "route";
  const choice: Choice = { ...filter, by };
  const change = (part: Partial<Choice>): void =>
    changeQuery(part.by === "route" ? { ...part, by: "" as const } : part);
  const known = ports.value?.data ?? null;
  const nameOf = (code: string): string => known?.find(({ port }) => port === code)?.name ?? code;
  return (
    <div class="stack">
      <Head title={titleOf(choice, nameOf)} about="Times are by the clock of the port; yours stands below.">
        <Switch legend="Board of" name="by" of={by} options={KINDS} set={(kind) => change({ by: kind })} />
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
    <Search label="Sailings">
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
        <DateField name="From the day" of={choice.from} set={(from) => change({ from })} />
      )}
      <CodeField
        label="Carrier"
        value={choice.carrier}
        placeholder="SCAC: all"
        isNarrow
        onCode={(carrier) => change({ carrier })}
      />
    </Search>
  );
}
