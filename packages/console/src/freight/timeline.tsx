/** One line of time of a shipment: what its source said, and what was raised for it, to whom, and how that went. */
import type { AnyProduct } from "@boathook/client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { DeliveryBadge, ErrorText, SampleBadge } from "../pages/states.tsx";
import { Trouble, usePages } from "../ui/data.tsx";
import { plural } from "../ui/numbers.ts";
import { Badge, Section, type Tone } from "../ui/parts.tsx";
import { Link } from "../ui/route.tsx";
import { Placed } from "./clocks.tsx";
import { inOneLine } from "./line.ts";
import { useClient, useProductPlace } from "./place.tsx";

type Event = AnyProduct["schemas"]["Event"];
type Delivery = AnyProduct["schemas"]["DeliveryOfAccount"];

/** What a source said. */
export type Milestone = {
  readonly key: string;
  /** Null: it says no time. */
  readonly at: string | null;
  /** Whether it has happened. */
  readonly is: "actual" | "estimated" | "planned";
  readonly isBad?: boolean;
  readonly name: ComponentChildren;
  readonly mark?: ComponentChildren;
  readonly where?: ComponentChildren;
  readonly about?: readonly ComponentChildren[];
  readonly when: ComponentChildren;
};

/** In the document before the reader asks for more: the oldest part is folded, so that what comes stays in sight. */
const SHOWN_STEP = 60;
/** Of one request. */
const EVENTS = 50;

type Props = {
  /** By which events are found. */
  readonly reference: string;
  /** In its order, the oldest first. */
  readonly said: readonly Milestone[];
  /** Instead of the line where it is empty. */
  readonly none: ComponentChildren;
};

export function Timeline({ reference, said, none }: Props) {
  const { tick, owner, to } = useProductPlace();
  const { addressOf } = useClient<AnyProduct>();
  const asked = { reference, include_deliveries: "true", limit: EVENTS };
  const raised = usePages(addressOf("/v1/events", asked), ({ data }) => data, tick);
  const [shownMax, setShownMax] = useState(SHOWN_STEP);
  const line = inOneLine(said, raised.items ?? [], raised.more !== null);
  const shown = line.slice(-shownMax);
  const lastOver = shown.findLastIndex((entry) => entry.is === "raised" || entry.said.is === "actual");
  const showEarlier = (): void => {
    setShownMax(shownMax + SHOWN_STEP);
    raised.more?.();
  };
  return (
    <Section
      title="Timeline"
      aside={
        <span class="quiet">
          What was raised{owner !== null && <> for {owner}</>},{" "}
          <Link to={to.raised(reference)}>as a list</Link>
        </span>
      }
    >
      <Trouble of={raised} />
      {raised.items === null && raised.failure === null && <p class="loading">Loading…</p>}
      {(shown.length < line.length || raised.more !== null) && (
        <button type="button" onClick={showEarlier}>
          Show earlier
        </button>
      )}
      {line.length === 0 && raised.items !== null && none}
      <ol class="sequence timeline">
        {shown.map((entry, nth) =>
          entry.is === "said" ? (
            <Said
              key={`said ${entry.said.key}`}
              of={entry.said}
              isFirstToCome={nth === lastOver + 1 && nth > 0}
            />
          ) : (
            <Raised key={entry.raised.id} of={entry.raised} />
          ),
        )}
      </ol>
    </Section>
  );
}

const KINDS = { actual: "Actual", estimated: "Estimated", planned: "Planned" } as const;

type SaidProps = { readonly of: Milestone; readonly isFirstToCome: boolean };

function Said({ of: { is, name, mark, where, about = [], when, isBad }, isFirstToCome }: SaidProps) {
  return (
    <li class={`${is} ${isBad === true ? "bad" : ""} ${isFirstToCome ? "next" : ""}`}>
      <div class="what">
        <strong>{name}</strong> {mark}
        {is === "actual" ? <span class="hidden">actual</span> : <Badge tone="none">{KINDS[is]}</Badge>}
        {where !== undefined && <span class="where">{where}</span>}
        {about.length > 0 && (
          <span class="quiet about parts">
            {about.map((part, nth) => (
              <bdi key={nth}>{part}</bdi>
            ))}
          </span>
        )}
      </div>
      <div class="when">{when}</div>
    </li>
  );
}

function Raised({
  of: { id, type, summary, data, created_at: at, deliveries = [] },
}: {
  readonly of: Event;
}) {
  const { to } = useProductPlace();
  const said = summary ?? type;
  return (
    <li class={`raised ${toneOf(deliveries)}`}>
      <div class="what">
        <strong>{to.event === null ? said : <Link to={to.event(id)}>{said}</Link>}</strong>{" "}
        <span class="where">
          raised <code>{type}</code> <SampleBadge of={data} />
        </span>
        <Deliveries of={deliveries} />
      </div>
      <div class="when">
        <Placed at={null} instant={at} />
      </div>
    </li>
  );
}

/** Trouble first. */
const RANKS = ["dead", "retrying", "pending", "delivered"] as const;

function rankOf({ status, attempt_count: attempts }: Delivery): number {
  return RANKS.indexOf(status === "pending" && attempts > 0 ? "retrying" : status);
}

const TONES: readonly Tone[] = ["bad", "warn", "info", "good"];

/** Of the worst. */
function toneOf(deliveries: readonly Delivery[]): Tone {
  return TONES[Math.min(...deliveries.map(rankOf))] ?? "none";
}

const DELIVERIES_SHOWN = 4;

function Deliveries({ of }: { readonly of: readonly Delivery[] }) {
  const sorted = of.toSorted((one, other) => rankOf(one) - rankOf(other));
  const rest = sorted.slice(DELIVERIES_SHOWN);
  if (of.length === 0)
    return (
      <span class="quiet about">No delivery: no endpoint was active and subscribed, or it is gone.</span>
    );
  return (
    <>
      <DeliveryList of={sorted.slice(0, DELIVERIES_SHOWN)} />
      {rest.length > 0 && (
        <details>
          <summary>{plural(rest.length, "more endpoint", "more endpoints")}</summary>
          <DeliveryList of={rest} />
        </details>
      )}
    </>
  );
}

function DeliveryList({ of }: { readonly of: readonly Delivery[] }) {
  const { to } = useProductPlace();
  return (
    <ul class="sent">
      {of.map((one) => (
        <li key={one.id}>
          <DeliveryBadge of={one} />{" "}
          {one.url === null ? (
            "an endpoint that is gone"
          ) : (
            <Link to={to.endpoint(one.endpoint_id)}>{one.url}</Link>
          )}
          , <Link to={to.delivery(one)}>{plural(one.attempt_count, "attempt", "attempts")}</Link>
          {one.last_error !== null && (
            <>
              : <ErrorText of={one.last_error} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
