/** Which board the reader has chosen. */
export const KINDS = [
  ["route", "Route"],
  ["port", "Port"],
  ["vessel", "Vessel"],
] as const;

type Kind = (typeof KINDS)[number][0];

/** What the address chooses. */
export type Choice = {
  readonly by: Kind;
  readonly origin: string;
  readonly destination: string;
  readonly port: string;
  readonly vessel: string;
  readonly from: string;
  readonly carrier: string;
};

export const FIELDS = ["origin", "destination", "port", "vessel", "from", "carrier"] as const;
