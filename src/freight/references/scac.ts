/** What a SCAC looks like, for people who have sent none. */
export const SCAC_FORM = "a SCAC: two to four letters, such as MSCU";

/** A carrier's code as somebody wrote it, in upper case; null when it is none. */
export function readScac(sent: string): string | null {
  const scac = sent.trim().toUpperCase();
  return /^[A-Z]{2,4}$/.test(scac) ? scac : null;
}
