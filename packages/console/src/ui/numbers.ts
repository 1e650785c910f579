const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const small = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 2 });

export function count(value: number): string {
  return whole.format(value);
}

export function rate(value: number): string {
  return value >= 100 ? whole.format(value) : small.format(value);
}

/** Never 100 % while something failed. */
export function share(part: number, all: number): string {
  if (all === 0) return "–";
  return percent.format(part === all ? 1 : Math.min(part / all, 0.9999));
}

export function seconds(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  return value < 1 ? `${whole.format(value * 1_000)} ms` : `${small.format(value)} s`;
}

export function plural(value: number, one: string, many: string): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
