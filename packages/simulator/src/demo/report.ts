/** What the demo says at its end: whether everything arrived. */
import { ENDPOINTS } from "./fixtures.ts";
import type { Expectation } from "./scenario.ts";
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
      `${retried} needed a retry. From event to first arrival: median ${latencies[Math.floor(latencies.length / 2)] ?? "-"} ms, ` +
      `longest ${latencies.at(-1) ?? "-"} ms.`,
    ...missing.map((text) => `Did not arrive: ${text}`),
    ...(undelivered > 0 ? [`${undelivered} were refused, or not signed as they should be.`] : []),
    ...(isComplete ? ["Everything that should have arrived has."] : []),
    "",
  ];
  return { text: lines.join("\n"), code: isComplete ? 0 : 1 };
}
