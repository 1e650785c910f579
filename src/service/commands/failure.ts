/** What the command line prints for an error, and its exit status. */
import { inspect } from "node:util";

import { StoreUnavailable } from "../../model/errors.ts";
import { StartupError } from "../../runtime/startup-error.ts";
import { CommandError } from "../../cli/command.ts";
import type { ExitStatus } from "../../cli/context.ts";

export type Failure = { readonly message: string; readonly status: ExitStatus };

export function failureOf(error: unknown): Failure {
  if (error instanceof CommandError) return { message: error.message, status: error.status };
  if (error instanceof StartupError) return { message: error.message, status: error.isOfSetting ? 2 : 1 };
  if (error instanceof StoreUnavailable) return { message: unavailableText(error), status: 1 };
  return {
    message: `boathook failed, and should not have. Please report this:\n${inspect(error)}`,
    status: 1,
  };
}

/** What is refused without asking the database has no cause. */
export function unavailableText({ message, cause }: StoreUnavailable): string {
  return cause === undefined ? message : `${message}: ${causeText(cause)}`;
}

/** The innermost sentence: the system's own. */
function causeText(cause: unknown): string {
  if (cause instanceof AggregateError) return causeText(cause.errors[0]);
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause === undefined ? cause.message : causeText(cause.cause);
}
