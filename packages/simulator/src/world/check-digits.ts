/** The check digits of the numbers that the worlds give out. */

/** Of a container number's first ten characters. ISO 6346: letters skip the multiples of 11, weights double. */
export function containerCheckDigit(number: string): number {
  const values = Array.from(number.slice(0, 10), (character) => {
    const letter = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".indexOf(character);
    return letter < 0 ? Number(character) : letter + 10 + Math.floor((letter + 9) / 10);
  });
  return (values.reduce((sum, value, place) => sum + value * 2 ** place, 0) % 11) % 10;
}

/** Of a vessel's six digits. IMO resolution A.1117(30): the last digit of their sum, weighted from 7 down to 2. */
export function imoCheckDigit(digits: string): number {
  const weighted = Array.from(digits.slice(0, 6), (digit, place) => Number(digit) * (7 - place));
  return weighted.reduce((sum, value) => sum + value, 0) % 10;
}
