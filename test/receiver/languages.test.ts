/**
 * The README's check in other languages, run against the shared vectors. Each program reads lines of
 * three base64 fields, body, header and secret, and writes `true` or `false` for each.
 */
import assert from "node:assert/strict";
import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";

import { codeBlocks } from "./readme.ts";
import { vectors } from "./vectors.ts";

type Language = {
  readonly name: string;
  /** The README's fence. */
  readonly fence: string;
  /** Prints a version and exits with 0 where the language is on the machine. */
  readonly probe: readonly [string, ...string[]];
  /** Files of the program, the README's code among them. */
  readonly files: (snippet: string) => { readonly [name: string]: string };
  readonly build?: readonly [string, ...string[]];
  readonly run: readonly [string, ...string[]];
};

const PYTHON = `
import base64, sys
from snippet import is_signed
for line in sys.stdin:
    body, header, secret = (base64.b64decode(field) for field in line.rstrip("\\n").split("\\t"))
    print("true" if is_signed(body, header.decode(), secret.decode()) else "false")
`;

const GO = `package main

import ("bufio"; "encoding/base64"; "fmt"; "os"; "strings")

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var fields [3][]byte
		for at, field := range strings.Split(lines.Text(), "\\t") { fields[at], _ = base64.StdEncoding.DecodeString(field) }
		fmt.Println(IsSigned(fields[0], string(fields[1]), string(fields[2])))
	}
}
`;

const JAVA = `
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Scanner;

final class Main {
    public static void main(String[] arguments) throws Exception {
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String[] fields = lines.nextLine().split("\\t", -1);
            Base64.Decoder decoder = Base64.getDecoder();
            String header = new String(decoder.decode(fields[1]), StandardCharsets.UTF_8);
            String secret = new String(decoder.decode(fields[2]), StandardCharsets.UTF_8);
            System.out.println(WebhookSignature.isSigned(decoder.decode(fields[0]), header, secret));
        }
    }
}
`;

const PHP = `<?php
require __DIR__ . '/snippet.php';
while (($line = fgets(STDIN)) !== false) {
    [$body, $header, $secret] = array_map('base64_decode', explode("\\t", rtrim($line, "\\n")));
    echo is_signed($body, $header, $secret) ? "true\\n" : "false\\n";
}
`;

const RUBY = `
require_relative "snippet"
STDIN.each_line do |line|
  body, header, secret = line.chomp.split("\\t", -1).map { |field| field.unpack1("m") }
  puts signed?(body, header, secret)
end
`;

const GO_MODULE = "module check\n\ngo 1.21\n";

const languages: readonly Language[] = [
  {
    ...{ name: "Python", fence: "python", probe: ["python3", "--version"], run: ["python3", "main.py"] },
    files: (snippet) => ({ "snippet.py": snippet, "main.py": PYTHON }),
  },
  {
    ...{ name: "Go", fence: "go", probe: ["go", "version"], run: ["./check"] },
    files: (snippet) => ({
      ...{ "go.mod": GO_MODULE, "snippet.go": `package main\n\n${snippet}`, "main.go": GO },
    }),
    build: ["go", "build", "-o", "check", "."],
  },
  {
    ...{ name: "Java", fence: "java", probe: ["javac", "-version"], run: ["java", "Main"] },
    files: (snippet) => ({ "WebhookSignature.java": snippet, "Main.java": JAVA }),
    build: ["javac", "Main.java", "WebhookSignature.java"],
  },
  {
    ...{ name: "PHP", fence: "php", probe: ["php", "--version"], run: ["php", "main.php"] },
    files: (snippet) => ({ "snippet.php": `<?php\ndeclare(strict_types=1);\n${snippet}`, "main.php": PHP }),
  },
  {
    ...{ name: "Ruby", fence: "ruby", probe: ["ruby", "--version"], run: ["ruby", "main.rb"] },
    files: (snippet) => ({ "snippet.rb": snippet, "main.rb": RUBY }),
  },
];

/** Compiling Go's cryptography for the first time takes half a minute on a busy machine. */
const TIMEOUT_MS = 120_000;

describe("the README's check", () => {
  for (const language of languages) {
    it(`is right in ${language.name}`, (t) => {
      const probe = spawnSync(language.probe[0], language.probe.slice(1));
      if (probe.status !== 0) return t.skip(`${language.probe[0]} is not on this machine`);
      const folder = mkdtempSync(join(tmpdir(), "receiver-"));
      t.after(() => rmSync(folder, { recursive: true, force: true }));
      const [snippet = "", ...more] = codeBlocks(language.fence);
      assert.deepEqual(more, [], "the README shows each language once");
      for (const [name, code] of Object.entries(language.files(snippet)))
        writeFileSync(join(folder, name), code);
      if (language.build !== undefined) assertOk(runIn(folder, language.build));
      const { stdout } = assertOk(runIn(folder, language.run, vectors.map(lineOf).join("")));
      const said = stdout.trim().split("\n");
      assert.deepEqual(
        vectors.map((vector, at) => `${vector.name}: ${said[at]}`),
        vectors.map((vector) => `${vector.name}: ${vector.signed}`),
      );
    });
  }
});

function lineOf({ body, signature, secret }: (typeof vectors)[number]): string {
  return `${[body, signature, secret].map((field) => Buffer.from(field).toString("base64")).join("\t")}\n`;
}

function runIn(
  folder: string,
  command: readonly [string, ...string[]],
  input = "",
): SpawnSyncReturns<string> {
  const env = { ...process.env, GOFLAGS: "-mod=mod", GOTOOLCHAIN: "local", GOPROXY: "off" };
  return spawnSync(command[0], command.slice(1), {
    cwd: folder,
    input,
    encoding: "utf8",
    timeout: TIMEOUT_MS,
    env,
  });
}

function assertOk(result: SpawnSyncReturns<string>): SpawnSyncReturns<string> {
  assert.equal(result.status, 0, result.stderr);
  return result;
}
