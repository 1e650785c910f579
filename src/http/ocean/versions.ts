/**
 * Older versions of a container's shape (spec 9, design 1). The newest is what is made; each step takes
 * back what one version brought, and an older version is the newest after all the steps above it.
 */
type Shape = Readonly<Record<string, unknown>>;

/** Newest first. */
const STEPS: readonly { readonly version: string; readonly takeBack: (shape: Shape) => Shape }[] = [
  { version: "2026-08-19", takeBack: ({ identifier_type: _, ...rest }) => rest },
];

/** `version` is one of the product's; null means the newest. */
export function inVersion(shape: Shape, version: string | null): Shape {
  const newer = STEPS.filter((step) => version !== null && step.version > version);
  return newer.reduce((made, step) => step.takeBack(made), shape);
}
