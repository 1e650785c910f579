/** The one direction of imports, as data. The first layer whose pattern a path matches is its layer. */

export type Layer = {
  readonly name: string;
  /** What the group captures is a room of its own: a layer's rooms do not import each other. */
  readonly holds: RegExp;
  /** The layers it may import besides itself. */
  readonly imports: readonly string[];
  /** It names no product, not even in a string. */
  readonly nameless?: true;
};

const BELOW_FRAMES = ["runtime", "model", "store", "engine"];
const BELOW_PRODUCTS = [...BELOW_FRAMES, "http", "operator", "cli", "freight"];
const ALL_OF_SRC = [...BELOW_PRODUCTS, "manifest", "product", "products", "service", "main"];

/** What `npm run check:structure` enforces (docs/architecture.md). */
export const LAYERS: readonly Layer[] = [
  { name: "runtime", holds: /^src\/runtime\//, imports: [], nameless: true },
  { name: "model", holds: /^src\/model\//, imports: ["runtime"] },
  { name: "store", holds: /^src\/store\//, imports: ["runtime", "model"], nameless: true },
  { name: "engine", holds: /^src\/engine\//, imports: ["runtime", "model", "store"], nameless: true },
  { name: "http", holds: /^src\/http\//, imports: BELOW_FRAMES, nameless: true },
  // The operator's API has the listener and the envelopes of the public one.
  { name: "operator", holds: /^src\/operator\//, imports: [...BELOW_FRAMES, "http"], nameless: true },
  { name: "cli", holds: /^src\/cli\//, imports: BELOW_FRAMES, nameless: true },
  { name: "freight", holds: /^src\/freight\//, imports: BELOW_PRODUCTS },
  { name: "manifest", holds: /^src\/products\/manifest\.ts$/, imports: BELOW_PRODUCTS, nameless: true },
  { name: "product", holds: /^src\/products\/([^/]+)\//, imports: [...BELOW_PRODUCTS, "manifest"] },
  // The list of manifests: the only file that names the products.
  { name: "products", holds: /^src\/products\//, imports: ["manifest", "product"] },
  {
    name: "service",
    holds: /^src\/service\//,
    imports: [...BELOW_PRODUCTS, "manifest", "products"],
    nameless: true,
  },
  { name: "main", holds: /^src\/main\.ts$/, imports: ["runtime", "cli", "service"] },
  // The portal explains each code of a failed attempt; nothing of src is bundled.
  { name: "console", holds: /^packages\/console\//, imports: ["engine"] },
  // What makes the types of the client runs the service.
  { name: "generator", holds: /^packages\/client\/generator\//, imports: ALL_OF_SRC },
  // A package is imported by its name, or by the paths of its tests.
  { name: "package", holds: /^packages\/([^/]+)\//, imports: [] },
  { name: "bench", holds: /^bench\//, imports: [...ALL_OF_SRC, "package"] },
  { name: "scripts", holds: /^scripts\//, imports: ALL_OF_SRC },
  {
    name: "test",
    holds: /^test\//,
    imports: [...ALL_OF_SRC, "package", "generator", "console", "bench", "scripts"],
  },
];

const PRODUCTS = ["tracking", "ocean", "air", "schedules", "rates", "loading"];

/** Why one file may not import another, both as paths from the root; null when it may. */
export function importProblem(layers: readonly Layer[], from: string, to: string): string | null {
  const importing = placeOf(layers, from);
  const imported = placeOf(layers, to);
  if (importing === null) return `${from} lies in no layer: give it one in scripts/layers.ts`;
  if (imported === null) return `${to} lies in no layer: give it one in scripts/layers.ts`;
  const { layer, room } = importing;
  if (layer.name === imported.layer.name) {
    if (room === imported.room) return null;
    return `${layer.name} ${room} may not import ${layer.name} ${imported.room}: put what both need below them`;
  }
  if (layer.imports.includes(imported.layer.name)) return null;
  const allowed = layer.imports.join(", ") || "nothing";
  return `${layer.name} may not import ${imported.layer.name} (only ${allowed}): take it as an argument, or move it down`;
}

/** True when `text` is a product's name in a file that must not name one. */
export function namesProduct(layers: readonly Layer[], path: string, text: string): boolean {
  return placeOf(layers, path)?.layer.nameless === true && PRODUCTS.includes(text);
}

function placeOf(layers: readonly Layer[], path: string): { layer: Layer; room: string | undefined } | null {
  for (const layer of layers) {
    const match = layer.holds.exec(path);
    if (match !== null) return { layer, room: match[1] };
  }
  return null;
}
