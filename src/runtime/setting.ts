/** One setting, as data. */
import type { SettingKind } from "./setting-kinds.ts";

/** `Default` is `string`, in the form of the environment, or `null` where the setting may stay unset. */
export type Setting<T, Default extends string | null = string | null> = {
  readonly name: `BOATHOOK_${string}`;
  readonly kind: SettingKind<T>;
  readonly default: Default;
  readonly about: string;
  /** Never shown: `password` hides that part of a URL, `all` the whole value. */
  readonly secret?: "all" | "password";
};

export function setting<T, Default extends string | null>(parts: Setting<T, Default>): Setting<T, Default> {
  return parts;
}
