/**
 * Bundles the pages of the console, the portal and the reference, each into a folder of `build`: one document, and files
 * that are named by what they hold. npm runs it when it installs a clone (`prepare`) and before it packs (`prepack`).
 * Without the development packages there is nothing to bundle with, and the pages say what to run.
 */
import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";

const root = join(import.meta.dirname, "..");
const source = join(root, "packages", "console");

const esbuild = await import("esbuild").catch(() => null);
if (esbuild === null) {
  console.error("The pages are not built: esbuild is not installed (npm ci installs it).");
} else {
  await bundle("console", join(source, "src"), "index.html");
  await bundle("portal", join(source, "src", "portal"), "portal.html");
  await bundle("reference", join(source, "src", "reference"), "reference.html");
}

/** `from` has its main, and theme.ts if anything must run before the first paint. */
async function bundle(
  name: "console" | "portal" | "reference",
  from: string,
  template: string,
): Promise<void> {
  const built = join(root, "build", name);
  const made = await esbuild!.build({
    entryPoints: globSync(["main.{ts,tsx}", "theme.ts"], { cwd: from }).map((file) => join(from, file)),
    outdir: built,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    splitting: true,
    bundle: true,
    minify: true,
    format: "esm",
    target: ["es2022"],
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    metafile: true,
    write: false,
  });
  const files = new Map(made.outputFiles.map(({ path, contents }) => [basename(path), contents]));
  joinStyles(files);
  const nameOf = (start: string, end: string): string =>
    [...files.keys()].find((file) => file.startsWith(`${start}-`) && file.endsWith(end)) ?? "";
  const document = readFileSync(join(source, template), "utf8")
    .replace("%theme%", nameOf("theme", ".js"))
    .replace("%main%", nameOf("main", ".js"))
    .replace("%style%", nameOf("main", ".css"));
  files.set("icon.svg", readFileSync(join(source, "icon.svg")));
  files.set("licences.txt", Buffer.from(licencesOf(Object.keys(made.metafile.inputs))));
  files.set("index.html", Buffer.from(document));
  write(built, files);
}

/** Split, pages that are loaded later have style sheets of their own, which nothing loads: they follow the main one. */
function joinStyles(files: Map<string, Uint8Array>): void {
  const isMain = (name: string): boolean => name.startsWith("main-");
  const names = [...files.keys()].filter((name) => name.endsWith(".css"));
  const sheets = names.toSorted((one, other) => Number(isMain(other)) - Number(isMain(one)));
  const joined = Buffer.concat(sheets.map((name) => files.get(name)!));
  for (const name of names) files.delete(name);
  const hash = createHash("sha256").update(joined).digest("hex").slice(0, 8);
  files.set(`main-${hash.toUpperCase()}.css`, joined);
}

/** Of the packages that are bundled. */
function licencesOf(inputs: readonly string[]): string {
  const packages = new Set(
    inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  );
  // Swagger UI is a file of the plug-in's, under the licence that Boathook has.
  const own = packages.has("@fastify/swagger-ui")
    ? [`swagger-ui\n\n${readFileSync(join(root, "LICENSE"), "utf8")}`]
    : [];
  return [...packages]
    .toSorted()
    .map((name) => {
      const [licence = ""] = globSync(`node_modules/${name}/LICEN[CS]E*`, { cwd: root });
      return `${name}\n\n${readFileSync(join(root, licence), "utf8")}`;
    })
    .concat(own)
    .join("\n\n");
}

/** In place of what was built before. The document names the files by what they hold: the same one means the same files. */
function write(built: string, files: ReadonlyMap<string, Uint8Array>): void {
  const document = join(built, "index.html");
  if (existsSync(document) && Buffer.compare(readFileSync(document), files.get("index.html")!) === 0)
    return utimesSync(document, new Date(), new Date());
  const made = `${built}-${process.pid}`;
  mkdirSync(made, { recursive: true });
  for (const [name, contents] of files) writeFileSync(join(made, name), contents);
  rmSync(built, { recursive: true, force: true });
  renameSync(made, built);
}
