/** What the demo says at its end: whether everything arrived, and how to go on by hand. */
import type { DemoEnvironment } from "./environment.ts";
import { ENDPOINTS } from "./fixtures.ts";
import type { Expectation, Scenario } from "./scenario.ts";
import { isDelivered, type DemoState } from "./state.ts";

export type DemoStatus = { readonly text: string; readonly code: 0 | 1 };

export function summaryOf(board: DemoState, expected: readonly Expectation[]): DemoStatus {
  const rows = board.rows();
  const missing = expected.filter(({ isMet }) => !isMet(board)).map(({ text }) => text);
  const undelivered = rows.filter((row) => !isDelivered(row)).length;
  const retried = rows.filter(({ attempts }) => attempts > 1).length;
  const latencies = rows.map(({ latencyMs }) => latencyMs).toSorted((one, other) => one - other);
  const isComplete = missing.length === 0 && undelivered === 0;
  const lines = [
    "",
    `${rows.length} events arrived at ${ENDPOINTS.length} endpoints of five products, every signature checked; ` +
      `${retried} needed a retry. From event to arrival: median ${latencies[Math.floor(latencies.length / 2)] ?? "-"} ms, ` +
      `longest ${latencies.at(-1) ?? "-"} ms.`,
    ...missing.map((text) => `Did not arrive: ${text}`),
    ...(undelivered > 0 ? [`${undelivered} were refused, or not signed as they should be.`] : []),
    ...(isComplete ? ["Everything that should have arrived has."] : []),
    "",
  ];
  return { text: lines.join("\n"), code: isComplete ? 0 : 1 };
}

export function manualSteps(
  { tokenFile, replay, receiver }: DemoEnvironment,
  { publicUrl, opsUrl }: { readonly publicUrl: string; readonly opsUrl: string },
  { accountId, keys }: Scenario,
): string {
  const event = {
    product: "rates",
    account_id: accountId,
    type: "index_refreshed",
    data: { subject: "by hand", index_id: "europe", dated: "2026-10-30", value: "1042.17" },
  };
  return `
The service stays until Ctrl-C.
  public API      ${publicUrl}/tracking/docs (and /air, /schedules, /rates, /loading)
  operator's API  ${opsUrl}, token in ${tokenFile}
  carrier         ${replay.url}/events
  receiver        ${receiver.url}

List the endpoints of a product:
  curl -H 'Authorization: Bearer ${keys["tracking"]}' ${publicUrl}/tracking/v1/webhooks

Raise an event:
  curl -H "Authorization: Bearer $(cat ${tokenFile})" -H 'Content-Type: application/json' \\
    -d '${JSON.stringify({ events: [event] })}' ${opsUrl}/v1/events
`;
}
