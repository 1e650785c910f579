/**
 * Older versions of the container routes' answers (spec 9: additive_changes, pinning). Answers are made in the newest
 * version. Each step removes what its version added, so an older version is the newest after all newer steps.
 */
type Step = {
  readonly version: string;
  readonly downgrade: (answered: unknown) => unknown;
};

/** Newest first. */
const STEPS: readonly Step[] = [
  { version: "2026-08-19", downgrade: (answered) => withoutField(answered, "identifier_type") },
];

/** `version` is one of the product's; null: the newest. */
export function inVersion(newest: object, version: string | null): unknown {
  const newer = STEPS.filter((step) => version !== null && step.version > version);
  return newer.reduce<unknown>((made, step) => step.downgrade(made), newest);
}

/** Without a field at any depth. Answers are nested four levels deep at most. */
function withoutField(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutField(item, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => field !== name)
      .map(([field, member]) => [field, withoutField(member, name)]),
  );
}
