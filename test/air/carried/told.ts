/** A status message of Cargo-XML beside the lines of Cargo-IMP that say the same. */
import { xfsu, type Head } from "./xfsu.ts";

export type Told = {
  readonly name: string;
  readonly lines: readonly string[];
  readonly xml: string;
  readonly imp?: string;
};

export const said = (
  name: string,
  line: string | readonly string[],
  statuses: string,
  head: Head = {},
): Told => ({
  name,
  lines: [line].flat(),
  xml: xfsu(statuses, head),
});
