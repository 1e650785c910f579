/** Running operations: what happened becomes events, and e-mail. */
import type { Settings } from "../../runtime/settings.ts";
import type { ProductStart, RunningProduct } from "../manifest.ts";
import { createReporter } from "./reporter.ts";
import type { OperationsSettings } from "./settings.ts";

export async function startOperations(
  context: ProductStart,
  settings: OperationsSettings & Settings,
): Promise<RunningProduct> {
  const { smtpUrl, mailFrom } = settings;
  const { authorities } = context;
  const parts = [createReporter(context)];
  if (smtpUrl !== null) {
    const { createMailer, smtpSender } = await import("./mail/mailer.ts");
    parts.push(createMailer(context, smtpSender(smtpUrl, mailFrom, authorities), settings));
  }
  for (const part of parts) part.start();
  return { stop: async () => void (await Promise.all(parts.map((part) => part.stop()))) };
}
