/** What a lane's rates are for: a contract or the spot market, and a commodity (docs/rates.md). */
import { mustBe, textOf, type ReadField } from "../../../freight/tables/field.ts";
import type { LaneKey } from "../store/rate-lanes.ts";

export const KINDS = ["contract", "spot"] as const;

export type Kind = (typeof KINDS)[number];

export type Offer = {
  /** Null: not stated. */
  readonly kind: Kind | null;
  /** Its number or name; null: not stated, or no contract. */
  readonly contract: string | null;
  /** A commodity or a group of them, as the carrier calls it. */
  readonly commodity: string;
};

/** Freight of all kinds. */
export const FAK = "FAK";

const ALL_KINDS: ReadonlySet<string> = new Set([FAK, "FREIGHT ALL KINDS"]);

/** Characters. */
const TEXT_LENGTH_MAX = 60;

export const readKind: ReadField<Kind | null> = (written) => {
  const text = textOf(written)?.toLowerCase();
  const kind = KINDS.find((one) => one === text);
  if (text !== undefined && kind === undefined) throw mustBe("contract or spot, or left out", written);
  return kind ?? null;
};

/** The filter of it; empty: not stated. */
export const readKindOrNone: ReadField<"" | Kind> = (written) => {
  const text = textOf(written)?.toLowerCase();
  const kind = KINDS.find((one) => one === text);
  if (kind === undefined && text !== "none") throw mustBe("contract, spot or none", written);
  return kind ?? "";
};

/** In capitals, so that the same contract is one however it is spelt. */
export const readContract: ReadField<string | null> = (written) => {
  const text = plainText(written);
  if (text === null) throw mustBe(`a number or name of at most ${TEXT_LENGTH_MAX} characters`, written);
  return text === "" ? null : text;
};

export const readCommodity: ReadField<string> = (written) => {
  const text = plainText(written);
  if (text === null)
    throw mustBe(
      `at most ${TEXT_LENGTH_MAX} characters, or left out for ${FAK}, freight of all kinds`,
      written,
    );
  return text === "" || ALL_KINDS.has(text) ? FAK : text;
};

/** Null: too long, or not to be shown on one line. */
function plainText(written: unknown): string | null {
  const plain = textOf(written);
  if (plain === undefined) return "";
  const text = plain.replaceAll(/\s+/g, " ").toUpperCase();
  return text.length > TEXT_LENGTH_MAX || !text.isWellFormed() || /\p{C}/u.test(text) ? null : text;
}

/** What has a contract is of one. */
export function withKind<Some extends Offer>(offer: Some): Some {
  return offer.contract === null || offer.kind !== null ? offer : { ...offer, kind: "contract" };
}

/** In the store what is not stated is empty. */
export function offerColumns({ kind, contract, commodity }: Offer): Pick<LaneKey, keyof Offer> {
  return { kind: kind ?? "", contract: contract ?? "", commodity };
}

export function offerIn({ kind, contract, commodity }: Pick<LaneKey, keyof Offer>): Offer {
  return { kind: kind === "" ? null : kind, contract: contract === "" ? null : contract, commodity };
}
