/** One setting, as data. */
import type { SettingKind } from "./setting-kinds.ts";

/** What settings are listed under, in this order: `service` where a setting does not say. */
export const SETTING_SECTIONS = ["service", "files", "events", "polling", "log"] as const;

/** `Default` is `string`, in the form of the environment, or `null` where the setting may stay unset. */
export type Setting<T, Default extends string | null = string | null> = {
  readonly name: `BOATHOOK_${string}`;
  readonly kind: SettingKind<T>;
  readonly default: Default;
  readonly about: string;
  readonly section?: (typeof SETTING_SECTIONS)[number];
  /** Never shown: `password` hides that part of a URL, `all` the whole value. */
  readonly secret?: "all" | "password";
  /** The value must not exceed that setting's, unless it is a default: a default gives way. */
  readonly atMost?: Setting<T>;
};

export function setting<T, Default extends string | null>(
  name: Setting<T>["name"],
  kind: SettingKind<T>,
  usual: Default,
  rest: Omit<Setting<T>, "name" | "kind" | "default">,
): Setting<T, Default> {
  return { name, kind, default: usual, ...rest };
}

/** Settings by the names of their values. */
export type SettingGroup = Readonly<Record<string, Setting<unknown>>>;

export type SettingsOf<Group extends SettingGroup> = {
  readonly [Key in keyof Group]: Group[Key] extends Setting<infer T, infer Default>
    ? T | (Default extends null ? null : never)
    : never;
};
