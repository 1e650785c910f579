import { setTimeout as sleep } from "node:timers/promises";

import { sendAsOperator, type Answer, type TestService } from "./service.ts";

const STEP_MS = 250;

export type Removal = Pick<Answer, "status" | "body"> & { readonly tookMs: number };

/** One request to remove an account; the clock moves while it is open. `tookMs` is by that clock. */
export async function askToRemove(service: TestService, accountId: string): Promise<Removal> {
  const startedMs = service.clock.monotonicMs();
  let isOpen = true;
  const sent = sendAsOperator(service, "DELETE", `/v1/accounts/${accountId}`).finally(() => (isOpen = false));
  while (isOpen) {
    await service.clock.advance(STEP_MS);
    // The database works in real time.
    await sleep(10);
  }
  const { status, body } = await sent;
  return { status, body, tookMs: service.clock.monotonicMs() - startedMs };
}

/** As a client that asks again while the removal goes on: on a busy machine, it lasts longer than an answer may. */
export async function removeAccount(service: TestService, accountId: string): Promise<Removal> {
  for (;;) {
    const removal = await askToRemove(service, accountId);
    if (removal.status !== 202) return removal;
  }
}
