/** One brand colour as the colours of a page: where text needs it, lighter or darker than the brand has it. */

export type Rgb = readonly [red: number, green: number, blue: number];

/** For text of any size (WCAG 2.2, 1.4.3). */
const CONTRAST_MIN = 4.5;

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

/** The lightest and the darkest of what stands behind accents, by theme (`style.css`). */
const BEHIND = {
  light: [
    [255, 255, 255],
    [240, 242, 245],
  ],
  dark: [
    [16, 22, 29],
    [31, 41, 51],
  ],
} as const satisfies Record<string, readonly Rgb[]>;

export type BrandColors = {
  /** Of links and buttons. */
  readonly accent: string;
  /** On buttons. */
  readonly accentText: string;
  /** Behind what is chosen, and the text on it. */
  readonly tint: string;
  readonly onTint: string;
};

export function brandColors(hex: string, theme: "light" | "dark"): BrandColors {
  const brand = rgbOf(hex);
  const towards = theme === "light" ? BLACK : WHITE;
  const behind = BEHIND[theme];
  const accent = readable(brand, behind, towards);
  const tint = mix(behind[0], brand, theme === "light" ? 0.12 : 0.22);
  return {
    accent: hexOf(accent),
    accentText: textOn(hexOf(accent)),
    tint: hexOf(tint),
    onTint: hexOf(readable(brand, [tint], towards)),
  };
}

/** White or black; one of them is readable on any colour. */
export function textOn(hex: string): string {
  const color = rgbOf(hex);
  return hexOf(contrast(color, WHITE) >= contrast(color, BLACK) ? WHITE : BLACK);
}

/** The first step from the colour that is readable on all of `behind`; its end always is. */
function readable(color: Rgb, behind: readonly Rgb[], towards: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.04) {
    const tried = rounded(mix(color, towards, share));
    if (behind.every((one) => contrast(tried, one) >= CONTRAST_MIN)) return tried;
  }
  return towards;
}

function rounded([red, green, blue]: Rgb): Rgb {
  return [Math.round(red), Math.round(green), Math.round(blue)];
}

function mix(one: Rgb, other: Rgb, share: number): Rgb {
  const at = (index: 0 | 1 | 2): number => one[index] * (1 - share) + other[index] * share;
  return rounded([at(0), at(1), at(2)]);
}

/** From 1 to 21 (WCAG 2.2). */
export function contrast(one: Rgb, other: Rgb): number {
  const [lighter, darker] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

export function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function hexOf([red, green, blue]: Rgb): string {
  return `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, "0")}`;
}
