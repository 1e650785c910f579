/** What a carrier grants and charges for a box that stays at its terminal, and which tariff a box falls under. */

/** Calendar days are `YYYY-MM-DD` at the port. */
export type Tariff = {
  /** SCAC. */
  readonly carrier: string;
  /** UN/LOCODE; null: every port. */
  readonly port: string | null;
  /** How the ISO 6346 size and type code of the box begins: `2`, `45`, `22G1`; null: every box. */
  readonly equipment: string | null;
  readonly freeDays: number;
  /** Whether the day of discharge is the first free day, or the day after. */
  readonly dischargeDayCounts: boolean;
  /** Which days are free days. Charged days are always calendar days: once on demurrage, always on demurrage. */
  readonly days: "calendar" | "working";
  /** Days that are no working days, beside the weekend of the port's country. */
  readonly holidays: readonly string[];
  /** By the day overdue from which they hold, the first from day 1; empty where charges are not known. */
  readonly rates: readonly Rate[];
  /** By the day of discharge, both included. */
  readonly validFrom: string;
  readonly validTo: string | null;
};

export type Rate = { readonly fromDay: number; readonly centsUsd: number };

/** In any order. */
export type Tariffs = readonly Tariff[];

export type TariffCase = {
  readonly carrier: string;
  readonly port: string | null;
  /** The box's ISO 6346 size and type code, where the carrier tells it. */
  readonly equipment: string | null;
  readonly dischargeDay: string;
};

/** The tariff that says most exactly where and for which box it holds; of two alike the one in force later. */
export function tariffFor(tariffs: Tariffs, box: TariffCase): Tariff | null {
  let best: Tariff | null = null;
  for (const tariff of tariffs) {
    if (appliesTo(tariff, box) && (best === null || isMoreSpecific(tariff, best))) best = tariff;
  }
  return best;
}

function appliesTo(tariff: Tariff, { carrier, port, equipment, dischargeDay }: TariffCase): boolean {
  return (
    tariff.carrier === carrier &&
    (tariff.port === null || tariff.port === port) &&
    (tariff.equipment === null || equipment?.startsWith(tariff.equipment) === true) &&
    tariff.validFrom <= dischargeDay &&
    (tariff.validTo === null || dischargeDay <= tariff.validTo)
  );
}

function isMoreSpecific(a: Tariff, b: Tariff): boolean {
  const byPort = Number(a.port !== null) - Number(b.port !== null);
  if (byPort !== 0) return byPort > 0;
  const byEquipment = (a.equipment?.length ?? 0) - (b.equipment?.length ?? 0);
  return byEquipment === 0 ? a.validFrom > b.validFrom : byEquipment > 0;
}

/** What so many days overdue come to, in cents; null where the tariff names no rates. */
export function accruedCents({ rates }: Tariff, daysOverdue: number): number | null {
  if (rates.length === 0) return null;
  let cents = 0;
  for (const [index, { fromDay, centsUsd }] of rates.entries()) {
    const untilDay = Math.min(daysOverdue, (rates[index + 1]?.fromDay ?? Number.POSITIVE_INFINITY) - 1);
    cents += Math.max(0, untilDay - fromDay + 1) * centsUsd;
  }
  return cents;
}
