/** An entry of a catalogue, as commands print it. */
import type { Static, TObject } from "typebox";

import type { catalogueFields, SignIn } from "./schema.ts";

export type Shown = Pick<
  Static<TObject<typeof catalogueFields>>,
  "signIn" | "quirks" | "unknown" | "sources"
>;

/** `clientId, clientSecret or apiKey`. */
export function needsOf({ signIn }: Pick<Shown, "signIn">): string {
  return signIn.map(({ needs }) => Object.keys(needs).join(", ")).join(" or ");
}

/** `heads`: what comes first. `exampleOf`: what the file's entry may be. */
export function entryText(
  heads: readonly string[],
  { signIn, quirks, unknown, sources }: Shown,
  file: string,
  exampleOf: (fields: Readonly<Record<string, string>>) => object,
): string {
  const ways = signIn.map(({ kind, needs }) => section(`Sign in by ${kind}`, pairs(needs)));
  const example = signIn
    .slice(0, 1)
    .map((one) => section(`In the ${file}`, [JSON.stringify(exampleOf(blanksOf(one)))]));
  return [
    ...heads,
    ...ways,
    ...example,
    section("Quirks", quirks),
    section("Not known", unknown),
    section(
      "From",
      sources.map(({ url, read, of }) => `${url} (${read}): ${of}`),
    ),
  ]
    .filter((text) => text !== "")
    .join("\n");
}

/** Empty without lines. */
export const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : `${title}:\n${lines.map((line) => `  ${line}\n`).join("")}`;

const pairs = (needs: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(needs).map(([name, where]) => `${name}: ${where}`);

const blanksOf = ({ needs }: SignIn): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(needs).map((name) => [name, "…"]));
