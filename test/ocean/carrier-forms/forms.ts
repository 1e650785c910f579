/** The carriers whose forms the journeys are written in; docs/carriers.md says what is known of each. */
import { cmaCgm } from "./cma-cgm.ts";
import { cosco } from "./cosco.ts";
import { evergreen } from "./evergreen.ts";
import { hapagLloyd } from "./hapag-lloyd.ts";
import { hmm } from "./hmm.ts";
import { maersk } from "./maersk.ts";
import { msc } from "./msc.ts";
import { one } from "./one.ts";
import { pil } from "./pil.ts";
import type { CarrierForm } from "./statement.ts";
import { yangMing } from "./yang-ming.ts";
import { zim } from "./zim.ts";

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
