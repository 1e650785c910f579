/** The equipment of a rate: a size and type code of ISO 6346, or the trade's group. */
import { readSizeType } from "../../../model/size-type.ts";
import { mustBe, textOf, type ReadField } from "../../../freight/tables/field.ts";

/** ISO 6346. BIC's own table has 5 for 45 feet, besides L. */
const LENGTH = "[1-5A-HK-NP]";
const HEIGHT_AND_WIDTH = "[02-9C-FL-NP]";
/** The group with its digit, or with the letter of a box of reduced strength; K and N date from 2022. */
const DETAILED_TYPE = "[ABGHKNPRSTUV][0-9ABDGJMVWXY]";
const TYPE_GROUPS = "AS|B[KU]|GP|H[IR]|K[A-Z]|N[A-Z]|P[CFLS]|R[EST]|SN|T[DGN]|UT|VH";
const SIZE_TYPE = new RegExp(`^${LENGTH}${HEIGHT_AND_WIDTH}(?:${DETAILED_TYPE}|${TYPE_GROUPS})$`);

/** Kinds that carriers quote besides the groups of ISO 6346. */
const TRADE_KINDS: ReadonlySet<string> = new Set(
  // Dry, high cube, pallet wide, double door, open side, hard top, garments.
  (
    "GP DRY HC HCR HW PW HPW PWH DD OS HT GH HG " +
    // Refrigerated, operating or not, and insulated.
    "RF RFR REF RE RH RC RQ RS RT HR HRF RHC NOR NR IN " +
    // Open top, flat rack, platform, tank, bulk, ventilated.
    "OT OTH UT HO FL FR FF FB FQ PL PF PC PS TK TN TD TG BK BU VE VH VT"
  ).split(" "),
);

export const readEquipment: ReadField<string> = (written) => {
  const text = textOf(written)?.toUpperCase().replaceAll(/[ '’]/g, "") ?? "";
  const group = readSizeType(text);
  if (group !== null && TRADE_KINDS.has(group.kind)) return group.feet + group.kind;
  if (SIZE_TYPE.test(text)) return text;
  throw mustBe(
    "an ISO 6346 size and type code such as 22G1 or 45R1, or a group such as 20GP, 40HC, 40RF, 40OT or 20TK",
    written,
  );
};
