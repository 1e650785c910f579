/** The e-mail to an account of which failures have switched off endpoints. */
import type { mailListDisabled } from "../../../store/reports/mails.sql.ts";
import type { RowOf } from "../../../store/sql.ts";

export type DisabledEndpoint = RowOf<typeof mailListDisabled>;

/** Listed in one e-mail. */
export const LISTED_MAX = 20;

/** `portalUrl`: where the client switches a product's endpoints on again; null: it is not known. */
export function disabledMessage(
  accountName: string,
  endpoints: readonly DisabledEndpoint[],
  portalUrl: ((product: string) => string) | null,
): { readonly subject: string; readonly text: string } {
  const [first] = endpoints;
  const many = endpoints.length > 1;
  const named = many
    ? `${endpoints.length}${endpoints.length > LISTED_MAX ? " or more" : ""} endpoints`
    : "an endpoint";
  const listed = endpoints.slice(0, LISTED_MAX).map(({ product, url, inactiveSince, missedEvents }) => {
    const missed = missedEvents > 0 ? `, ${missedEvents} events missed` : "";
    return `- ${url} (${product}), off since ${inactiveSince.toISOString()}${missed}`;
  });
  const text = [
    `Webhook deliveries to ${many ? "endpoints" : "an endpoint"} of ${accountName} failed again and again, so ${many ? "they were" : "it was"} switched off:`,
    "",
    ...listed,
    "",
    "Nothing more is sent until you switch an endpoint on again. What was waiting goes on then; what has happened since it was",
    "switched off is not sent later.",
    "",
    "1. See why the last deliveries failed, and repair the receiver.",
    '2. Set the endpoint active again, in the portal or with PATCH /v1/webhooks/{id} and {"active": true}.',
    ...(portalUrl === null ? [] : ["", ...new Set(endpoints.map(({ product }) => portalUrl(product)))]),
    "",
  ];
  const subject = many
    ? `${named} were switched off`
    : `An endpoint was switched off: ${new URL(first!.url).host}`;
  return { subject, text: text.join("\n") };
}
