/** Reads the settings from an environment, all of them or none: what is wrong is said in one message. */
import { didYouMean } from "../model/did-you-mean.ts";
import type { ReadSetting } from "./setting-kinds.ts";
import type { Setting } from "./setting.ts";
import { SETTINGS, type Settings } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type Configuration =
  | { readonly kind: "settings"; readonly settings: Settings }
  | { readonly kind: "invalid"; readonly message: string };

/** One setting as `boathook config` shows it. */
export type SettingDescription = {
  readonly name: string;
  /** In the form of the environment, secrets masked; null when unset. */
  readonly value: string | null;
  readonly default: string | null;
  readonly from: "environment" | "default";
  readonly form: string;
  readonly about: string;
};

const PREFIX = "BOATHOOK_";

/** Names that the test suite takes for itself. */
const TEST_PREFIX = "BOATHOOK_TEST_";

const all: readonly Setting<unknown>[] = Object.values(SETTINGS);

/**
 * The settings of `environment`, such as `process.env`. An empty value is as good as none.
 *
 * @param products the tags that `BOATHOOK_HOSTS` may name
 */
export function readConfiguration(environment: Environment, products: readonly string[]): Configuration {
  const wrong: string[] = unknownNames(environment);
  const values = new Map<string, unknown>();
  for (const [key, one] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const reading = read(one, environment);
    if ("wrong" in reading) wrong.push(`${one.name} ${reading.wrong}.`);
    else values.set(key, reading.value);
  }
  // Complete unless something was wrong, and then nobody sees it.
  const settings = Object.fromEntries(values) as Settings;
  if (wrong.length === 0) wrong.push(...contradictions(settings, products, environment));
  if (wrong.length === 0) return { kind: "settings", settings };
  const lines = wrong.map((sentence) => `  - ${sentence}`).join("\n");
  return {
    kind: "invalid",
    message: `The settings are wrong:\n${lines}\n\`boathook config\` lists all settings.`,
  };
}

/** Every setting with the value that `environment` gives it. A secret's text is in none of them. */
export function describeSettings(environment: Environment): readonly SettingDescription[] {
  return all.map((one) => {
    const set = textOf(one, environment);
    return {
      name: one.name,
      value: set === null ? one.default : masked(one, set),
      default: one.default,
      from: set === null ? "default" : "environment",
      form: one.kind.form,
      about: one.about,
    };
  });
}

/** The settings as a table in Markdown, for the documents. */
export function settingsTable(): string {
  const rows = all.map(
    ({ name, kind, default: value, about }) =>
      `| \`${name}\` | ${value === null ? "unset" : `\`${value}\``} | ${kind.form} | ${about} |`,
  );
  return ["| Setting | Default | Value | What it does |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function textOf({ name }: Setting<unknown>, environment: Environment): string | null {
  const text = environment[name]?.trim();
  return text === undefined || text === "" ? null : text;
}

function read(one: Setting<unknown>, environment: Environment): ReadSetting<unknown> {
  const set = textOf(one, environment);
  const text = set ?? one.default;
  if (text === null) return { value: null };
  const reading = one.kind.read(text);
  // What was written helps to find the mistake, except where it may be a secret with a typing error.
  if ("value" in reading || one.secret !== undefined) return reading;
  return { wrong: `${reading.wrong}; it is "${text}"` };
}

function unknownNames(environment: Environment): string[] {
  const names = all.map(({ name }) => name as string);
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !name.startsWith(TEST_PREFIX) && !names.includes(name))
    .toSorted()
    .map((name) => {
      const near = didYouMean(
        name.slice(PREFIX.length),
        names.map((known) => known.slice(PREFIX.length)),
      );
      return `${name} is no setting${near === null ? "" : `; did you mean ${PREFIX}${near}`}.`;
    });
}

/** Settings that are right by themselves and wrong together. */
function contradictions(settings: Settings, products: readonly string[], environment: Environment): string[] {
  const wrong: string[] = [];
  const { name: hosts } = SETTINGS.hosts;
  for (const tag of new Set(settings.hosts?.values())) {
    if (!products.includes(tag))
      wrong.push(`${hosts} names "${tag}", which is none of ${products.join(", ")}.`);
  }
  const waits = settings.retryWaitsMs.length;
  if (waits < settings.attemptsMax - 1) {
    wrong.push(
      `${SETTINGS.retryWaitsMs.name} has ${waits} waits, but ${SETTINGS.attemptsMax.name} is ` +
        `${settings.attemptsMax}: between so many attempts there are ${settings.attemptsMax - 1}.`,
    );
  }
  const [far, near] = [SETTINGS.pollIntervalMs, SETTINGS.pollNearIntervalMs];
  // Its default gives way where the other is shorter; one that was written is meant.
  if (textOf(near, environment) !== null && settings.pollNearIntervalMs > settings.pollIntervalMs) {
    const bound = textOf(far, environment) ?? far.default;
    wrong.push(`${near.name} must be at most ${far.name}, which is ${bound}.`);
  }
  return wrong;
}

function masked({ secret }: Setting<unknown>, text: string): string {
  if (secret === "all") return "(set)";
  if (secret !== "password") return text;
  const url = URL.parse(text);
  if (url === null) return "(set)";
  if (url.password !== "") url.password = "***";
  return url.searchParams.has("password") ? "(set)" : url.href;
}
