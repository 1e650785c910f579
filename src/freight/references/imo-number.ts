/** The IMO ship identification number: seven digits, the last of them a check digit. */

export type ReadImoNumber =
  | { readonly kind: "imo"; readonly imo: string }
  /** `message` says what it must be instead. */
  | { readonly kind: "invalid"; readonly message: string };

/** Reads it as people write it, also with `IMO` before it. */
export function readImoNumber(written: string): ReadImoNumber {
  const digits = written.trim().replace(/^IMO[ -]*/i, "");
  if (!/^[0-9]{7}$/.test(digits)) {
    return { kind: "invalid", message: "must be an IMO number, seven digits such as 9321483" };
  }
  const right = checkDigit(digits);
  if (digits[6] === right) return { kind: "imo", imo: digits };
  return {
    kind: "invalid",
    message: `must be an IMO number: the check digit of ${digits.slice(0, 6)} is ${right}, not ${digits[6]}`,
  };
}

/** Of six digits, or of seven. IMO resolution A.1117(30): the last digit of the sum of the first six, weighted from 7 to 2. */
export function checkDigit(digits: string): string {
  const sum = [7, 6, 5, 4, 3, 2].reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  return String(sum % 10);
}
