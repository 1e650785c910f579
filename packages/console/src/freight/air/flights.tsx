/** A flight of a waybill: from where to where, when, and with how much of it. */
import { Badge } from "../../ui/parts.tsx";
import { movedBy, Placed } from "../clocks.tsx";
import type { FlightTimes, Leg } from "./answers.ts";
import { amountOf, partText, placeText } from "./texts.ts";

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

export function FlightView({ of, total }: { readonly of: Leg; readonly total: number | null }) {
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
            {moved !== null && <span class="moved"> {moved}</span>}
          </span>
        )}
      </div>
    </div>
  );
}
