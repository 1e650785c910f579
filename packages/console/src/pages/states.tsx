/** States of endpoints and deliveries, in words and colours that are the same on every page. */
import { Badge } from "../ui/parts.tsx";
import type { Delivery, Endpoint } from "./answers.ts";

type Health = Pick<Endpoint, "active" | "failure_count" | "disabled_reason">;

export function EndpointBadge({ of }: { readonly of: Health }) {
  if (!of.active)
    return of.disabled_reason === "paused" ? (
      <Badge tone="none">Paused</Badge>
    ) : (
      <Badge tone="bad">Off</Badge>
    );
  return of.failure_count > 0 ? <Badge tone="warn">Failing</Badge> : <Badge tone="good">Active</Badge>;
}

type Progress = Pick<Delivery, "status" | "attempt_count" | "parked_until">;

export function DeliveryBadge({ of }: { readonly of: Progress }) {
  if (of.status === "delivered") return <Badge tone="good">Delivered</Badge>;
  if (of.status === "dead") return <Badge tone="bad">Dead</Badge>;
  if (of.parked_until !== null) return <Badge tone="none">Parked</Badge>;
  return of.attempt_count > 0 ? <Badge tone="warn">Retrying</Badge> : <Badge tone="info">Pending</Badge>;
}

/** A failure's stable code, and its sentence. */
export function ErrorText({ of }: { readonly of: string | null }) {
  if (of === null) return <span class="quiet">–</span>;
  const [, code = "", text = ""] = /^([a-z0-9_]+): ?([^]*)$/.exec(of) ?? [];
  if (code === "") return <span>{of}</span>;
  return (
    <span>
      <code>{code}</code> {text}
    </span>
  );
}

/** Of an event's data. */
export function SampleBadge({ of }: { readonly of: object }) {
  return "sample" in of && of.sample === true ? <Badge tone="none">sample</Badge> : null;
}

/** What a failure means for the one who runs the receiver, and what to do about it. */
export type Advice = { readonly means: string; readonly remedy: string };
/** Null where it has none. */
export type AdviceOn = (error: string | null) => Advice | null;

type ExplainedProps = { readonly error: string | null; readonly by: AdviceOn | undefined };

/** A failure, with what a role advises on it. */
export function Explained({ error, by }: ExplainedProps) {
  const advice = by?.(error) ?? null;
  return (
    <div class="explained">
      <p>
        <ErrorText of={error} />
      </p>
      {advice !== null && (
        <p>
          {advice.means} <strong>{advice.remedy}</strong>
        </p>
      )}
    </div>
  );
}
