/** What carries Cargo-IMP messages from airlines: IATA Type-B and EDIFACT envelopes. */

/** Seven characters each: city, department and airline. */
export type TypeBAddresses = { readonly to: readonly string[]; readonly from: string };

/** @param sentAt - day of the month and time in UTC: `151430`. */
export function inTypeB(message: string, { to, from }: TypeBAddresses, sentAt: string): string {
  return `\u0001QD ${to.join(" ")}\r\n.${from} ${sentAt}\r\n\u0002${message}\u0003`;
}

/** One message an interchange, as it is between UNH and UNT. */
export function inEdifact(message: string, reference: string): string {
  return `${opening(message, reference)}${message}'${closing(3, reference)}`;
}

/** The same with a line a component of an FTX segment, five of them a segment. */
export function inFreeText(message: string, reference: string): string {
  const lines = message
    .split("\r\n")
    .filter((line) => line !== "")
    .map((line) => line.replaceAll(/[?':+]/g, (mark) => `?${mark}`));
  const segments: string[] = [];
  for (let first = 0; first < lines.length; first += 5) {
    segments.push(`FTX+CIM+++${lines.slice(first, first + 5).join(":")}'`);
  }
  return `${opening(message, reference)}${segments.join("")}${closing(segments.length + 2, reference)}`;
}

function opening(message: string, reference: string): string {
  const type = `CIM${message.slice(0, 3)}:${/^...\/(\d+)/.exec(message)?.[1] ?? "0"}:0:IA`;
  return `UNB+IATA:1+SIMAIR:PIMA+SIMAGT:PIMA+261115:1430+${reference}'UNH+${reference}+${type}'`;
}

function closing(segments: number, reference: string): string {
  return `UNT+${segments}+${reference}'UNZ+1+${reference}'`;
}
