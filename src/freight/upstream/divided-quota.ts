/**
 * An upstream's quota of which references that it has never known may use a part a day, so that guessed ones never
 * take the turns of those it knows:
 *
 *     unresolved ─▶ a turn of the part ─▶ a turn of the whole
 *     others ───────────────────────────▶ a turn of the whole
 */
import { sleep } from "../../runtime/sleep.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { ShareQuota } from "./quota-share.ts";
import { createQuota, type Quota, type QuotaGrant } from "./quota.ts";
import type { QuotaSettings } from "./upstream-schema.ts";

export type DividedQuota = Omit<Quota, "take"> & {
  /** As `Quota` does; of a refused turn of the whole, that of the part is lost. */
  take(waitMsMax: number, isUnresolved: boolean): Promise<QuotaGrant>;
};

/** Of a day's requests. */
const UNRESOLVED_SHARE = 1 / 2;

export function createDividedQuota(
  name: string,
  limits: QuotaSettings,
  clock: Clock,
  shareQuota?: ShareQuota,
): DividedQuota {
  const { perDay } = limits;
  const whole = createQuota(limits, clock, shareQuota?.(name));
  const part =
    perDay === undefined
      ? null
      : createQuota({ perDay: perDay * UNRESOLVED_SHARE }, clock, shareQuota?.(`${name} unresolved`));
  return {
    ...whole,
    async take(waitMsMax, isUnresolved) {
      // The part first: where it is used up, no turn of the whole is lost.
      const grant = isUnresolved ? await part?.take(waitMsMax) : undefined;
      if (grant?.kind === "refused") return grant;
      if (grant !== undefined && grant.waitMs > 0) await sleep(clock, grant.waitMs);
      return whole.take(waitMsMax);
    },
  };
}
