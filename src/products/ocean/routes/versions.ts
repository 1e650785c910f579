/**
 * Older versions of what the container routes answer (spec 9, design 1). The newest is what is made; each
 * step takes back what one version brought, and an older version is the newest after all the steps above it.
 */
type Step = {
  readonly version: string;
  readonly takeBack: (answered: unknown) => unknown;
};

/** Newest first. */
const STEPS: readonly Step[] = [
  { version: "2026-08-19", takeBack: (answered) => withoutField(answered, "identifier_type") },
];

/** `version` is one of the product's; null means the newest. */
export function inVersion(newest: object, version: string | null): unknown {
  const newer = STEPS.filter((step) => version !== null && step.version > version);
  return newer.reduce<unknown>((made, step) => step.takeBack(made), newest);
}

/** The same without a field, however deep it lies. Answers are nested four levels deep at most. */
function withoutField(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutField(item, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => field !== name)
      .map(([field, member]) => [field, withoutField(member, name)]),
  );
}
