/** A plan made in a thread of its own, as the service makes them: what ran before in the process does not slow it. */
import { parentPort, workerData } from "node:worker_threads";

import type { SentRequest } from "../../src/products/loading/request/request-schema.ts";
import { planned } from "./planned.ts";

export type TimedPlan = { readonly usedMs: number; readonly piecesLeft: number };

const { sent, steps } = workerData as { readonly sent: SentRequest; readonly steps: number };
const before = process.threadCpuUsage();
const { summary } = planned(sent, steps);
const usedMs = process.threadCpuUsage(before).user / 1_000;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window: it has no origin
parentPort!.postMessage({ usedMs, piecesLeft: summary.pieces_left } satisfies TimedPlan);
