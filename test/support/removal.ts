import { sendAsOperator, type Answer, type TestService } from "./service.ts";

export type Removal = Pick<Answer, "status" | "body"> & { readonly tookMs: number };

/** One request to remove an account; the clock moves while it is open. `tookMs` is by that clock. */
export async function askToRemove(service: TestService, accountId: string): Promise<Removal> {
  const startedMs = service.clock.monotonicMs();
  const sent = sendAsOperator(service, "DELETE", `/v1/accounts/${accountId}`);
  const { status, body } = await service.clock.drive(sent);
  return { status, body, tookMs: service.clock.monotonicMs() - startedMs };
}

/** As a client that asks again while the removal goes on. */
export async function removeAccount(service: TestService, accountId: string): Promise<Removal> {
  for (;;) {
    const removal = await askToRemove(service, accountId);
    if (removal.status !== 202) return removal;
  }
}
