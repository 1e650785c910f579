/** The liner services of the simulated trade: their proforma schedules, and how well they keep them. */
import type { PlaceCode } from "../world/places.ts";

export type LinerService = {
  /** The carrier's code, its name, and the universal service reference. */
  readonly code: string;
  readonly name: string;
  readonly universal: string;
  /** The rotation: the day of each arrival, counted from the round's first, and the hours at berth. */
  readonly calls: readonly ProformaCall[];
  /** Voyages change their number at this call: outward before it, homeward from it on. Null: a round is one voyage. */
  readonly turnsAt: number | null;
  /** One begins a round every week, in this order. */
  readonly vessels: readonly string[];
  /** How well it keeps its schedule, and from which week of the world on it does so no more. */
  readonly punctuality: Punctuality;
};

export type ProformaCall = { readonly port: PlaceCode; readonly day: number; readonly hours: number };

export type Punctuality = { readonly lateShare: number; readonly worsensInWeek: number | null };

const STEADY: Punctuality = { lateShare: 0.1, worsensInWeek: null };
const WORSENING: Punctuality = { lateShare: 0.12, worsensInWeek: 5 };
const POOR: Punctuality = { lateShare: 0.55, worsensInWeek: null };

function liner(
  code: string,
  name: string,
  ships: string,
  rotation: string,
  punctuality: Punctuality,
): LinerService {
  const legs = rotation.split(" / ");
  const calls = legs
    .join(" ")
    .split(" ")
    .map((call) => {
      const [port, day] = call.split("@");
      return { port: port as PlaceCode, day: Number(day), hours: 18 + (Number(day) % 3) * 6 };
    });
  const turnsAt = legs.length === 1 ? null : (legs[0] as string).split(" ").length;
  const universal = `SR${String(10_000 + code.charCodeAt(0) * 100 + Number(code.slice(1)))}A`;
  return { code, name, universal, calls, turnsAt, vessels: ships.split(", "), punctuality };
}

export const LINER_SERVICES = {
  K1: liner(
    "K1",
    "Kite Express",
    "KITE ARROW, KITE BREEZE, KITE CREST, KITE DRIFT, KITE EDDY, KITE FOAM, KITE GUST, KITE HALO, KITE ISLE",
    "CNSHA@0 CNNGB@2 SGSIN@9 NLRTM@33 / DEHAM@36 BEANR@39 SGSIN@59",
    STEADY,
  ),
  L1: liner(
    "L1",
    "Loon Atlantic",
    "LOON AMBER, LOON BERYL, LOON CORAL, LOON DIAMOND",
    "BEANR@0 NLRTM@2 DEHAM@4 / USNYC@14 USSAV@17 ESALG@26",
    WORSENING,
  ),
  L2: liner(
    "L2",
    "Loon Straits",
    "LOON EMERALD, LOON FLINT, LOON GARNET",
    "SGSIN@0 IDJKT@3 THLCH@7 SGSIN@12 VNSGN@15",
    STEADY,
  ),
  M1: liner(
    "M1",
    "Myna Gulf",
    "MYNA ASTER, MYNA BRIAR, MYNA CLOVER, MYNA DAHLIA",
    "INNSA@0 AEJEA@4 / LKCMB@10 SGSIN@15",
    STEADY,
  ),
  M2: liner(
    "M2",
    "Myna Bay",
    "MYNA ELDER, MYNA FERN, MYNA GORSE",
    "SGSIN@0 LKCMB@5 / INNSA@9 AEJEA@13",
    WORSENING,
  ),
  N1: liner(
    "N1",
    "Noddy Pacific",
    "NODDY ADA, NODDY BELLA, NODDY CLARA, NODDY DORA, NODDY EDITH",
    "CNNGB@0 CNSHA@2 KRPUS@5 / USLAX@18 USOAK@21",
    WORSENING,
  ),
  O1: liner(
    "O1",
    "Oriole Baltic",
    "ORIOLE ONE, ORIOLE TWO",
    "BEANR@0 NLRTM@2 / DEHAM@4 SEGOT@7 PLGDN@10",
    POOR,
  ),
  // A voyage longer than most feeds look ahead.
  P1: liner(
    "P1",
    "Plover World",
    "PLOVER ANA, PLOVER BEA, PLOVER CLEO, PLOVER DINA, PLOVER ELLA, PLOVER FAY, PLOVER GAIL, PLOVER HOPE",
    "CNSHA@0 SGSIN@8 INNSA@14 NLRTM@30 BEANR@33 AEJEA@50 KRPUS@55",
    STEADY,
  ),
  P2: liner(
    "P2",
    "Plover Pacific",
    "PLOVER IDA, PLOVER JOY, PLOVER KIM, PLOVER LEA",
    "KRPUS@0 CNNGB@3 / USLAX@16 USOAK@19",
    STEADY,
  ),
  Q1: liner(
    "Q1",
    "Quail Orient",
    "QUAIL AMY, QUAIL BEV, QUAIL CAZ, QUAIL DOT, QUAIL EVE, QUAIL FLO, QUAIL GIA, QUAIL HAL, QUAIL INA",
    "CNNGB@0 KRPUS@4 SGSIN@12 NLRTM@34 / DEHAM@36 BEANR@39 SGSIN@57",
    STEADY,
  ),
} as const satisfies Readonly<Record<string, LinerService>>;

export type LinerServiceCode = keyof typeof LINER_SERVICES;
