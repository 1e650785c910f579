/** States of endpoints and deliveries, in words and colours that are the same on every page. */
import { Badge } from "../ui/parts.tsx";
import { Link } from "../ui/route.tsx";
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

/** Why it is as it is, as a sentence. */
export function whyOf({
  active,
  failure_count: failures,
  disabled_reason: reason,
  missed_events: missed,
}: Endpoint): string {
  const lost =
    missed === 0 ? "" : ` ${plural(missed, "event was", "events were")} raised for it since and never sent.`;
  if (active)
    return failures === 0
      ? "Deliveries arrive."
      : `${plural(failures, "attempt has", "attempts have")} failed in a row.`;
  if (reason === "paused") return `Its owner has paused it.${lost}`;
  return `${plural(failures, "attempt", "attempts")} in a row failed, so Boathook stopped sending.${lost}`;
}

export function plural(count: number, one: string, many: string): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

export function DeliveryBadge({
  of,
}: {
  readonly of: Pick<Delivery, "status" | "attempt_count" | "parked_until">;
}) {
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

/** By its name; one that is being removed has none. */
export function AccountLink({ of }: { readonly of: Pick<Delivery, "account_id" | "account_name"> }) {
  return (
    <Link to={`/console/accounts/${of.account_id}`}>{of.account_name ?? <ShortId of={of.account_id} />}</Link>
  );
}

/** Ids are long and begin alike: the whole one is in the title. */
export function ShortId({ of }: { readonly of: string }) {
  return (
    <code class="id" title={of}>
      {of.slice(0, 8)}…{of.slice(-6)}
    </code>
  );
}
