/** Why there is nothing of an id. */
import type { Refusal } from "../http/refusal.ts";
import { timeOfUuid } from "../model/uuid.ts";
import { DAY_MS } from "../runtime/durations.ts";
import type { OperatorPorts } from "./ports.ts";

/** Its id says when it was made: what is older than the history is gone, whether it ever was. */
export function goneOrNever(
  what: "event" | "delivery",
  id: string | null,
  { clock, historyMs }: Pick<OperatorPorts, "clock" | "historyMs">,
): Refusal {
  const madeMs = id === null || !isVersion7(id) ? null : timeOfUuid(id);
  if (madeMs === null || madeMs >= clock.nowMs() - historyMs) {
    return { code: "NOT_FOUND", message: `there is no ${what} of that id` };
  }
  const [day] = new Date(madeMs).toISOString().split("T");
  const days = Math.round(historyMs / DAY_MS);
  const message = `the ${what} is unknown, or was pruned: its id is of ${day}, and history is kept for ${days} days`;
  return { code: "NOT_FOUND", message };
}

function isVersion7(id: string): boolean {
  return id[14] === "7";
}
