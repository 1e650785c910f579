/** What waybills are called and counted in. */
const amount = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

export function awbText(awb: string): string {
  return /^\d{11}$/.test(awb) ? `${awb.slice(0, 3)}-${awb.slice(3)}` : awb;
}

export function amountOf(value: number | null, unit: string): string {
  return value === null ? "–" : `${amount.format(value)} ${unit}`;
}

export function placeText(station: string | null): string {
  return station ?? "?";
}

/** `4 of 10`, or all of it. */
export function partText(pieces: number | null, total: number | null): string {
  if (pieces === null) return "–";
  return total === null || pieces >= total
    ? amount.format(pieces)
    : `${amount.format(pieces)} of ${amount.format(total)}`;
}
