/** What happened to a box and what is to come, by both clocks. */
import { useState } from "preact/hooks";

import { Badge } from "../../ui/parts.tsx";
import { zone } from "../../ui/time.tsx";
import { Moment, offsetText, wallClock } from "../clocks.tsx";
import { placeName, type Event, type Journey } from "./answers.ts";
import { StatusBadge } from "./words.tsx";

/** In the document before the reader asks for more. */
const SHOWN_MAX = 60;

const KINDS = { actual: "Actual", estimated: "Estimated", planned: "Planned" } as const;

type TimelineProps = {
  readonly events: readonly Event[];
  /** Each event says which box it is about. */
  readonly hasBoxes: boolean;
};

export function Timeline({ events, hasBoxes }: TimelineProps) {
  const [isWhole, setWhole] = useState(false);
  if (events.length === 0)
    return <p class="quiet">The carrier knows this reference and has not reported an event yet.</p>;
  // What comes stays in sight: of a long history the oldest part is folded.
  const shown = isWhole ? events : events.slice(-SHOWN_MAX);
  const firstComing = shown.findIndex(({ classifier }) => classifier !== "actual");
  return (
    <>
      <p class="clocks quiet">
        <span>At the place</span>
        <span>Your clock, {zone}</span>
      </p>
      {shown.length < events.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show {events.length - shown.length} earlier
        </button>
      )}
      <ol class="sequence timeline">
        {shown.map((event, index) => (
          <EventRow
            key={`${event.code} ${event.event_date_time} ${event.equipment_reference} ${placeName(event.place)} ${index}`}
            of={event}
            hasBox={hasBoxes}
            isFirstToCome={index === firstComing && index > 0}
          />
        ))}
      </ol>
    </>
  );
}

type RowProps = { readonly of: Event; readonly hasBox: boolean; readonly isFirstToCome: boolean };

function EventRow({ of, hasBox, isFirstToCome }: RowProps) {
  const { place, vessel, voyage, classifier, equipment_reference: number, laden } = of;
  const ship = vessel?.name ?? vessel?.imo ?? null;
  const about = [
    ship,
    voyage === null ? null : `voyage ${voyage}`,
    place?.facility === null || place?.facility === undefined ? null : `facility ${place.facility}`,
    laden === false ? "empty" : null,
    hasBox && number !== null ? number : null,
  ].filter((part) => part !== null);
  return (
    <li class={`${classifier} ${isFirstToCome ? "next" : ""}`}>
      <div class="what">
        <strong>{of.name}</strong> {classifier !== "actual" && <Badge tone="none">{KINDS[classifier]}</Badge>}
        {classifier === "actual" && <span class="hidden">actual</span>}
        <span class="where">
          {place === null ? <span class="quiet">place not reported</span> : placeName(place)}
        </span>
        {about.length > 0 && (
          <span class="quiet about parts">
            {about.map((part) => (
              <bdi key={part}>{part}</bdi>
            ))}
          </span>
        )}
      </div>
      <div class="when">
        <span>
          {wallClock(of.event_local_datetime)}{" "}
          <span class="quiet offset">{offsetText(of.utc_offset_minutes) || "zone not reported"}</span>
        </span>
        <span class="quiet">
          <Moment at={of.event_date_time} />
        </span>
      </div>
    </li>
  );
}

export function StatusHistory({ of: { status_history: history, status } }: { readonly of: Journey }) {
  if (history.length === 0)
    return (
      <p class="quiet">
        It is <StatusBadge of={status} /> The history begins with the carrier's next answer.
      </p>
    );
  return (
    <ol class="statuses">
      {history.toReversed().map(({ status: one, at, seen_at: seen }, index) => (
        <li key={`${one} ${seen} ${index}`}>
          <StatusBadge of={one} />
          <span class="when">
            {at === null ? <span class="quiet">without an event</span> : <Moment at={at} />}
            <span class="quiet">
              known <Moment at={seen} />
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}
