/**
 * Writes to accounts of which failures have switched off endpoints: one e-mail, of all that are off, at most one an hour.
 *
 *     an endpoint is off ─(everyMs)─▶ claimed by one node ─▶ sent
 *            ▲                              └─ the mail server refuses, or is away: given back
 *            └──────────────────────────────────┘
 *
 * A node that dies between claim and sending loses the e-mail; the event `endpoint_disabled` is not lost.
 */
import { createTransport } from "nodemailer";

import type { Settings } from "../../../runtime/settings.ts";
import { failureLevel } from "../../../model/errors.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../runtime/durations.ts";
import { createInterval, type Interval } from "../../../runtime/interval.ts";
import { accountListEmails } from "../../../store/accounts/accounts.sql.ts";
import type { Cell } from "../../../store/cell.ts";
import type { NodeContext } from "../../../store/node-context.ts";
import { mailClaim, mailListDisabled, mailUnclaim } from "../../../store/reports/mails.sql.ts";
import { disabledMessage, LISTED_MAX } from "./message.ts";

type MailerPorts = Pick<NodeContext, "database" | "cells" | "clock" | "log" | "loops">;

const EVERY_MS = MINUTE_MS;
const BETWEEN_MAILS_MS = HOUR_MS;
/** No e-mail is about an endpoint that has been off for longer. */
const OFF_MS_MAX = DAY_MS;
/** Of a cell, in a round. */
const ACCOUNTS_MAX = 50;
const SMTP_MS_MAX = 20_000;

/** Rejects if the mail server does not take it. */
export type SendMail = (to: string, message: ReturnType<typeof disabledMessage>) => Promise<void>;

export function smtpSender(url: string, from: string | null): SendMail {
  const wait = { connectionTimeout: SMTP_MS_MAX, greetingTimeout: SMTP_MS_MAX, socketTimeout: SMTP_MS_MAX };
  const transport = createTransport({ url, ...wait });
  const sender = from ?? `boathook@${new URL(url).hostname}`;
  return async (to, message) => void (await transport.sendMail({ from: sender, to, ...message }));
}

export function createMailer(
  ports: MailerPorts,
  send: SendMail,
  settings: Pick<Settings, "publicUrl">,
): Interval {
  const { cells, log } = ports;
  return createInterval(
    ports,
    { name: "e-mail", everyMs: EVERY_MS },
    async (isStopped) => {
      for (const cell of cells) {
        if (isStopped()) return;
        try {
          await mailOf(ports, settings, cell, send);
        } catch (cause) {
          // A cell that is away does not stop the others.
          log[failureLevel(cause)]({ cause, cell: cell.number }, "e-mail waits; the next round retries");
        }
      }
    },
    (cause) => log.error({ cause }, "e-mail waits; the next round retries"),
  );
}

async function mailOf(
  { database, cells, clock, log }: MailerPorts,
  { publicUrl }: Pick<Settings, "publicUrl">,
  cell: Cell,
  send: SendMail,
): Promise<void> {
  const nowMs = clock.nowMs();
  const claimed = await mailClaim(database, cell, {
    since: nowMs - OFF_MS_MAX,
    before: nowMs - BETWEEN_MAILS_MS,
    at: nowMs,
    limit: ACCOUNTS_MAX,
  });
  if (claimed.length === 0) return;
  const ids = claimed.map(({ id }) => id);
  const accounts = new Map((await accountListEmails(database, cells[0], ids)).map((one) => [one.id, one]));
  const portalUrl = publicUrl === null ? null : (product: string) => `${publicUrl}/${product}/portal`;
  for (const { id, mailedAt } of claimed) {
    const account = accounts.get(id);
    if (account === undefined) continue;
    try {
      const disabled = await mailListDisabled(database, cell, { accountId: id, limit: LISTED_MAX + 1 });
      if (disabled.length > 0) await send(account.email, disabledMessage(account.name, disabled, portalUrl));
    } catch (cause) {
      log.warn({ err: cause, account: id }, "an e-mail was not sent; the next round retries");
      await mailUnclaim(database, cell, { id, mailedAt });
    }
  }
}
