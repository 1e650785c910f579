/**
 * Writes to accounts of which failures have switched off endpoints: one e-mail, of all that are off, at most one an hour.
 *
 *     an endpoint is off ─(everyMs)─▶ claimed by one node ─▶ sent, refused for good, or nobody knows: not sent again
 *            ▲                              └─ the mail server is away, or does not take it now: given back
 *            └──────────────────────────────────┘
 *
 * A node that dies between claim and sending loses the e-mail; the event `endpoint_disabled` is not lost.
 */
import { createTransport } from "nodemailer";

import { createTlsContext } from "../../../engine/send/connect.ts";
import { failureLevel } from "../../../model/errors.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../runtime/durations.ts";
import { createInterval, repeat, type Interval } from "../../../runtime/interval.ts";
import type { Settings } from "../../../runtime/settings.ts";
import { accountListEmails } from "../../../store/accounts/accounts.sql.ts";
import type { Cell } from "../../../store/cell.ts";
import type { NodeContext } from "../../../store/node-context.ts";
import { perCell } from "../../../store/per-cell.ts";
import { mailClaim, mailListDisabled, mailUnclaim } from "../../../store/reports/mails.sql.ts";
import type { RowOf } from "../../../store/sql.ts";

type MailerPorts = Pick<NodeContext, "database" | "cells" | "clock" | "log" | "loops">;

const EVERY_MS = MINUTE_MS;
const BETWEEN_MAILS_MS = HOUR_MS;
/** No e-mail is about an endpoint that has been off for longer. */
const OFF_MS_MAX = DAY_MS;
/** Of a cell, in a round. */
const ACCOUNTS_MAX = 500;
const CONNECT_MS_MAX = 20 * SECOND_MS;
/** A mail server that looks into an e-mail before it takes it is silent for some time. */
const SILENT_MS_MAX = 2 * MINUTE_MS;

/** What became of an e-mail. `away`: of all of them; `later`: of this one; `over`: it is not sent again. */
export type Sent =
  | { readonly kind: "sent" }
  | { readonly kind: "away" | "later" | "over"; readonly cause: unknown };

export type SendMail = (to: string, message: ReturnType<typeof disabledMessage>) => Promise<Sent>;

/** `authorities`: trusted besides the usual ones, PEM. */
export function smtpSender(url: string, from: string | null, authorities: readonly string[] = []): SendMail {
  const wait = {
    connectionTimeout: CONNECT_MS_MAX,
    greetingTimeout: CONNECT_MS_MAX,
    socketTimeout: SILENT_MS_MAX,
  };
  const { hostname, password } = new URL(url);
  // Else a machine in between hides that the server takes TLS, and reads the password.
  const requireTLS = password !== "";
  const tls = { secureContext: createTlsContext(authorities) };
  const transport = createTransport({ url, ...wait, requireTLS, tls });
  const sender = from ?? `boathook@${hostname}`;
  return async (to, message) => {
    try {
      // Connects and signs in: what fails here has sent nothing.
      await transport.verify();
    } catch (cause) {
      return { kind: "away", cause };
    }
    try {
      await transport.sendMail({ from: sender, to, ...message });
      return { kind: "sent" };
    } catch (cause) {
      return { kind: isTakenLater(cause) ? "later" : "over", cause };
    }
  };
}

/** False: the server refuses it for good, or has not answered and may have taken it: then once more would be twice. */
function isTakenLater(cause: unknown): boolean {
  const { permanent, command } = cause as { readonly permanent?: boolean; readonly command?: string };
  return permanent === false || (permanent === true && command === "MAIL FROM");
}

const FIRST_ID = "00000000-0000-0000-0000-000000000000";

export function createMailer(
  ports: MailerPorts,
  send: SendMail,
  settings: Pick<Settings, "publicUrl">,
): Interval {
  const { cells, log } = ports;
  // A round goes on where the last one ended, so that those whom the server refuses keep nobody waiting.
  const placeIn = perCell(() => ({ afterId: FIRST_ID }));
  return createInterval(
    ports,
    { name: "e-mail", everyMs: EVERY_MS },
    async (isStopped) => {
      for (const cell of cells) {
        if (isStopped()) return;
        try {
          await repeat(ACCOUNTS_MAX, isStopped, () => mailNext(ports, settings, cell, send, placeIn(cell)));
        } catch (cause) {
          // A cell that is away does not stop the others.
          log[failureLevel(cause)]({ cause, cell: cell.number }, "e-mail waits; the next round retries");
        }
      }
    },
    (cause) => log.error({ cause }, "e-mail waits; the next round retries"),
  );
}

/** Writes to the next account, and says whether to go on. One at a time, so that a crash loses one e-mail at most. */
async function mailNext(
  ports: MailerPorts,
  settings: Pick<Settings, "publicUrl">,
  cell: Cell,
  send: SendMail,
  place: { afterId: string },
): Promise<boolean> {
  const { database, clock, log } = ports;
  const nowMs = clock.nowMs();
  const claimed = await mailClaim(database, cell, {
    afterId: place.afterId,
    since: nowMs - OFF_MS_MAX,
    before: nowMs - BETWEEN_MAILS_MS,
    at: nowMs,
  });
  place.afterId = claimed?.id ?? FIRST_ID;
  if (claimed === null) return false;
  const sent = await writeTo(ports, settings, cell, send, claimed.id).catch((cause: unknown): Sent => ({
    kind: "away",
    cause,
  }));
  if (sent.kind === "sent") return true;
  const retries = sent.kind === "over" ? "it is not sent again" : "a later round retries";
  log.warn({ cause: sent.cause, account: claimed.id }, `an e-mail was not sent; ${retries}`);
  if (sent.kind !== "over") await mailUnclaim(database, cell, claimed);
  return sent.kind !== "away";
}

/** Sent: or there was nothing to send. */
async function writeTo(
  { database, cells }: MailerPorts,
  { publicUrl }: Pick<Settings, "publicUrl">,
  cell: Cell,
  send: SendMail,
  accountId: string,
): Promise<Sent> {
  const [account] = await accountListEmails(database, cells[0], [accountId]);
  if (account === undefined) return { kind: "sent" };
  const disabled = await mailListDisabled(database, cell, { accountId, limit: LISTED_MAX + 1 });
  if (disabled.length === 0) return { kind: "sent" };
  const portalUrl = publicUrl === null ? null : (product: string) => `${publicUrl}/${product}/portal`;
  return send(account.email, disabledMessage(account.name, disabled, portalUrl));
}

type DisabledEndpoint = RowOf<typeof mailListDisabled>;

/** Listed in one e-mail. */
const LISTED_MAX = 20;

/** `portalUrl`: where the client switches a product's endpoints on again; null: it is not known. */
function disabledMessage(
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
