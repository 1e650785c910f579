/** A UN/LOCODE in capital letters and without spaces; null: it is none. */
export function readUnlocode(written: string | null): string | null {
  const code = written?.toUpperCase().replaceAll(" ", "") ?? "";
  return /^[A-Z]{2}[A-Z0-9]{3}$/.test(code) ? code : null;
}
