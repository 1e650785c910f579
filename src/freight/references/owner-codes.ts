/**
 * How the main lines' container and document numbers begin: a first guess at the carrier to ask, no more.
 * A box may belong to a lessor, or travel with another line than its owner's, and codes change hands when
 * lines merge; so the carrier that is asked decides. The carriers file adds to it (`ownerCodes`,
 * `billPrefixes`).
 *
 * Owner codes are registered with the Bureau International des Containers (ISO 6346), SCACs with the NMFTA.
 * Compiled by hand from the lines' own publications and public lists of both, as of 2026; lessors' codes are
 * left out, since they say nothing of the line.
 */
type Line = {
  /** The SCACs that the line and those it has taken over are known by; they also open its bills of lading. */
  readonly scacs: readonly string[];
  /** The codes of its containers, the category U included. */
  readonly owners: readonly string[];
};

const LINES: readonly Line[] = [
  // Maersk, with Hamburg Süd, Sealand and its Seago, Safmarine, MCC and P&O Nedlloyd.
  line(
    "MAEU MAEI MRSU SUDU SEAU SEJJ SAFM MCPU",
    "APMU CADU CNIU COZU FAAU FRLU HASU KHJU KHLU KNLU LOTU MAEU MALU MCAU MCHU MCPU MCRU MHHU MIEU MMAU",
    "MNBU MRKU MRSU MSAU MSFU MSKU MSWU MVIU MWCU MWMU OCLU POCU PONU SCMU SEAU SUDU TORU",
  ),
  line("MSCU MEDU", "GTIU MEDU MSCU MSDU MSMU MSNU MSPU MSTU MSYU MSZU"),
  // CMA CGM, with APL, ANL, CNC, Delmas, MacAndrews and OPDR.
  line(
    "CMDU APLU ANNU CHNL",
    "AMCU ANNU APDU APHU APIU APLU APRU APZU CGHU CGMU CGTU CMAU CMNU CNCU DVRU ECMU MMCU NEPU NOLU NOSU",
    "OPDU OTAU SOFU STMU",
  ),
  // COSCO, with China Shipping.
  line("COSU CHNJ", "CBHU CCLU CSLU CSNU"),
  line("OOLU", "OOCU OOLU"),
  // Hapag-Lloyd, with CP Ships, CSAV and UASC.
  line(
    "HLCU UASU UASC",
    "AZLU CASU CMUU CPSU CSQU CSVU FANU HAMU HLBU HLCU HLXU ITAU IVLU LBIU LNXU LYKU MOMU QIBU QNNU TLEU",
    "TMMU UACU UAEU UASU",
  ),
  // Ocean Network Express, of K Line, MOL and NYK.
  line(
    "ONEY",
    "AKLU EKLU ESSU KKFU KKLU KKTU KLFU KLTU KXTU MOAU MOEU MOFU MOGU MOLU MORU MOSU MOTU NYKU ONEU PXCU",
  ),
  line("EGLV", "EGHU EGSU EISU EITU EMCU HMCU IMTU LTIU UGMU"),
  line("HDMU", "HDMU HMMU"),
  line("YMLU YMJA", "YMLU YMMU"),
  line("ZIMU", "ZCLU ZCSU ZIMU ZMOU"),
  line("WHLC", "TPCU WHLU WHSU"),
  line("PCIU PABV", "PCIU PILU"),
  line("KMTU KMTC", "KMTU"),
  line("MATS", "CXCU HRZU MATU"),
  line("ACLU", "ACLU"),
  line("ARKU", "ARKU"),
  line("SMLU", "SMLU"),
];

function line(scacs: string, ...owners: readonly string[]): Line {
  return { scacs: scacs.split(" "), owners: owners.flatMap((codes) => codes.split(" ")) };
}

const LINE_BY_OWNER = new Map(LINES.flatMap((one) => one.owners.map((code) => [code, one] as const)));
const LINE_BY_SCAC = new Map(LINES.flatMap((one) => one.scacs.map((scac) => [scac, one] as const)));

/** The SCACs of the line that a container belongs to, by how its number begins; empty: nobody here knows. */
export function ownersOf(ownerCode: string): readonly string[] {
  return LINE_BY_OWNER.get(ownerCode)?.scacs ?? [];
}

/** The SCACs of the line that a SCAC, or the code of its containers, stands for; itself if nobody here knows. */
export function sameLineAs(code: string): readonly string[] {
  return (LINE_BY_SCAC.get(code) ?? LINE_BY_OWNER.get(code))?.scacs ?? [code];
}

/** The line of a SCAC; without owner codes if it is no main line. */
export function lineOf(scac: string): Line {
  return LINE_BY_SCAC.get(scac) ?? { scacs: [scac], owners: [] };
}

/** The SCACs by which the main lines' bills of lading begin. */
export const BILL_PREFIXES: readonly string[] = [...LINE_BY_SCAC.keys()];

/** Bookings that show by their form what they are: MSC's. Most lines' are bare digits, and could be anything. */
export const BOOKING_PATTERNS: readonly RegExp[] = [/^EBKG[0-9]{8}$/];

/** What a SCAC looks like, for people who have sent none. */
export const SCAC_FORM = "a SCAC: two to four letters, such as MSCU";

/** A carrier's code as somebody wrote it, in upper case; null when it is none. */
export function readScac(sent: string): string | null {
  const scac = sent.trim().toUpperCase();
  return /^[A-Z]{2,4}$/.test(scac) ? scac : null;
}
