/** `npm run check`: every `check:…` of package.json, side by side. Prints what each says as it ends; fails if one does. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};

const parts = Object.keys(scripts).filter((name) => name.startsWith("check:"));
const failed = (await Promise.all(parts.map(check))).filter((name) => name !== null);
if (failed.length > 0) {
  console.error(`failed: ${failed.join(", ")}`);
  process.exitCode = 1;
}

/** Returns its name if it fails. */
async function check(name: string): Promise<string | null> {
  const startedMs = performance.now();
  const child = spawn(scripts[name]!, { shell: true, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => void (said += text));
  const [status] = (await once(child, "close")) as [number | null];
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  console.log(`${status === 0 ? "✔" : "✖"} ${name}, ${seconds} s${status === 0 ? "" : `\n${said}`}`);
  return status === 0 ? null : name;
}
