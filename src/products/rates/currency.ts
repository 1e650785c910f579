/**
 * The currencies of ISO 4217 and the digits of their minor units. Node's own list has other digits for some, by custom
 * instead of by the standard, and has currencies that are withdrawn.
 */

const TWO_DIGITS =
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP " +
  "CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR " +
  "JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN " +
  "NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP " +
  "SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG";
const NO_DIGITS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF";
const THREE_DIGITS = "BHD IQD JOD KWD LYD OMR TND";

const DIGITS: ReadonlyMap<string, number> = new Map([
  ...TWO_DIGITS.split(" ").map((code) => [code, 2] as const),
  ...NO_DIGITS.split(" ").map((code) => [code, 0] as const),
  ...THREE_DIGITS.split(" ").map((code) => [code, 3] as const),
]);

/** The digits of a currency's minor unit; null: no currency of ISO 4217. */
export function minorDigits(currency: string): number | null {
  return DIGITS.get(currency) ?? null;
}

/** Throws for a currency that nobody has checked: a bug. */
export function digitsOf(currency: string): number {
  const digits = DIGITS.get(currency);
  if (digits === undefined) throw new Error(`${currency} is no currency`);
  return digits;
}

/** All of them. */
export function currencyCodes(): readonly string[] {
  return [...DIGITS.keys()];
}
