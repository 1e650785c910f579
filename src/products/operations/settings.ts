/** The settings of operational events: how e-mail is sent. */
import { line, smtpUrl } from "../../runtime/setting-kinds.ts";
import { setting, type SettingsOf } from "../../runtime/setting.ts";

export const OPERATIONS_SETTINGS = {
  smtpUrl: setting("BOATHOOK_SMTP_URL", smtpUrl, null, {
    secret: "password",
    about:
      "Mail server that tells accounts with an e-mail address of endpoints switched off. Unset: no e-mail.",
  }),
  mailFrom: setting("BOATHOOK_MAIL_FROM", line("e-mail address"), null, {
    about: "Sender of these e-mails. Unset: boathook@ the host of BOATHOOK_SMTP_URL.",
  }),
};

export type OperationsSettings = SettingsOf<typeof OPERATIONS_SETTINGS>;
