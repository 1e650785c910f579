/**
 * Packs into `build/packages` what clients install from a service (`src/http/packages.ts`): the npm packages of the
 * receiver and the typed client, the wheel of the Python receiver, and the Go module as a module proxy has it. The same
 * sources make the same bytes.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createZipArchiveSync, ZipEntry } from "node:zlib";

import packageJson from "../package.json" with { type: "json" };
import { packWorkspaces } from "./pack-workspaces.ts";

const root = join(import.meta.dirname, "..");
const built = join(root, "build", "packages");

type Files = ReadonlyMap<string, Buffer>;

if (existsSync(join(root, "node_modules", "typescript"))) build();
else console.error("No package is built: typescript is not installed (npm ci installs it).");

function build(): void {
  const made = `${built}-${process.pid}`;
  mkdirSync(made, { recursive: true });
  packWorkspaces(typesOfClient() ? ["receiver", "client"] : ["receiver"], made);
  for (const [name, bytes] of [...wheel(), ...goModule()]) {
    mkdirSync(dirname(join(made, name)), { recursive: true });
    writeFileSync(join(made, name), bytes);
  }
  rmSync(built, { recursive: true, force: true });
  renameSync(made, built);
}

/** Those of the documents of a service, which does not start on every system: the rest is still built there. */
function typesOfClient(): boolean {
  try {
    execFileSync(process.execPath, [join(root, "packages", "client", "generator", "main.ts")], {
      stdio: "inherit",
    });
    return true;
  } catch {
    console.error("The typed client is not built: no service starts here to give its types.");
    return false;
  }
}

/** As pip installs it, without running anything (PEP 427, core metadata 2.4). */
function wheel(): Files {
  const folder = join(root, "packages", "receiver-python");
  const project = readFileSync(join(folder, "pyproject.toml"), "utf8");
  const field = (name: string): string => new RegExp(`^${name} = "(.+)"$`, "m").exec(project)![1]!;
  const name = `${field("name").replaceAll("-", "_")}-${field("version")}`;
  const metadata = `Metadata-Version: 2.4
Name: ${field("name")}
Version: ${field("version")}
Summary: ${field("description")}
License-Expression: ${field("license")}
License-File: LICENSE
Requires-Python: ${field("requires-python")}
Description-Content-Type: text/markdown

${readFileSync(join(folder, "README.md"), "utf8")}`;
  const files = new Map([
    ...filesIn(join(folder, "src"), "boathook_receiver/*.{py,typed}"),
    [`${name}.dist-info/licenses/LICENSE`, readFileSync(join(folder, "LICENSE"))],
    [`${name}.dist-info/METADATA`, Buffer.from(metadata)],
    [
      `${name}.dist-info/WHEEL`,
      Buffer.from("Wheel-Version: 1.0\nGenerator: boathook\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
    ],
  ]);
  const record = [...files].map(([path, bytes]) => {
    const hash = createHash("sha256").update(bytes).digest("base64url");
    return `${path},sha256=${hash},${bytes.length}\n`;
  });
  files.set(`${name}.dist-info/RECORD`, Buffer.from(`${record.join("")}${name}.dist-info/RECORD,,\n`));
  return new Map([[`${name}-py3-none-any.whl`, zip(files)]]);
}

/** What `GOPROXY` asks for (go.dev/ref/mod#goproxy-protocol). Its tests read vectors that are not in the module. */
function goModule(): Files {
  const folder = join(root, "packages", "receiver-go");
  const [, name = ""] = /^module (.+)$/m.exec(readFileSync(join(folder, "go.mod"), "utf8"))!;
  const version = `v${packageJson.version}`;
  const files = [...filesIn(folder, "{*.go,go.mod,LICENSE,README.md}")].filter(
    ([path]) => !path.endsWith("_test.go"),
  );
  const archive = zip(new Map(files.map(([path, bytes]) => [`${name}@${version}/${path}`, bytes])));
  return new Map([
    [`go/${name}/@v/list`, Buffer.from(`${version}\n`)],
    [`go/${name}/@v/${version}.info`, Buffer.from(JSON.stringify({ Version: version }))],
    [`go/${name}/@v/${version}.mod`, readFileSync(join(folder, "go.mod"))],
    [`go/${name}/@v/${version}.zip`, archive],
  ]);
}

function filesIn(folder: string, pattern: string): Files {
  const paths = globSync(pattern, { cwd: folder }).toSorted();
  return new Map(paths.map((path) => [path.replaceAll("\\", "/"), readFileSync(join(folder, path))]));
}

/** An entry's time is the wall clock's. npm gives each file this one. */
function zip(files: Files): Buffer {
  const modified = new Date(1985, 9, 26, 8, 15);
  const entries = [...files].map(([name, bytes]) => ZipEntry.createSync(name, bytes, { modified }));
  return Buffer.concat([...createZipArchiveSync(entries)]);
}
