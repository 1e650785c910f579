/** The carriers whose forms the journeys are written in; docs/carriers.md says what is known of each. */
import { cmaCgm, cosco, evergreen, hmm, one, yangMing, zim } from "./described.ts";
import { pil } from "./pil.ts";
import { hapagLloyd, maersk, msc } from "./recorded.ts";
import type { CarrierForm } from "./statement.ts";

export const FORMS: Readonly<Record<string, CarrierForm>> = {
  "cma-cgm": cmaCgm,
  cosco,
  evergreen,
  "hapag-lloyd": hapagLloyd,
  hmm,
  maersk,
  msc,
  one,
  pil,
  "yang-ming": yangMing,
  zim,
};
