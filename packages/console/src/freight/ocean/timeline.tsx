/** What happened to a box and what is to come, as its carrier said it, and its statuses. */
import { Moment, Placed } from "../clocks.tsx";
import type { Milestone } from "../timeline.tsx";
import { placeName, type Event, type Journey } from "./answers.ts";
import { StatusBadge } from "./words.tsx";

/** `hasBox`: each says which box it is about. */
export function saidOf(events: readonly Event[], hasBox: boolean): readonly Milestone[] {
  return events.map((event, nth) => {
    const { place, vessel, voyage, equipment_reference: number, laden } = event;
    const about = [
      vessel?.name ?? vessel?.imo ?? null,
      voyage === null ? null : `voyage ${voyage}`,
      place?.facility === null || place?.facility === undefined ? null : `facility ${place.facility}`,
      laden === false ? "empty" : null,
      hasBox ? number : null,
      event.utc_offset_minutes === undefined ? "zone not reported" : null,
    ].filter((part) => part !== null);
    return {
      key: `${event.code} ${event.event_date_time} ${number} ${placeName(place)} ${nth}`,
      at: event.event_date_time,
      is: event.classifier,
      name: event.name,
      where: place === null ? <span class="quiet">place not reported</span> : placeName(place),
      about,
      when: <Placed at={event} />,
    };
  });
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
