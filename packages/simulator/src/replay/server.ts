/** `boathook replay <folder>`: the replayed carrier behind a socket on loopback. */
import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";

import { listen } from "../world/http-server.ts";
import { replayedNumbers, withNumbers } from "./box-numbers.ts";
import { readRecording, type Recording, type ReplayedReference } from "./recording.ts";
import { createReplay } from "./replay.ts";

/** Our own journeys, in the form of recorded answers. */
export const JOURNEYS_FOLDER = join(import.meta.dirname, "..", "..", "journeys");

/** Recordings read from one folder. */
const RECORDINGS_MAX = 1_000;

/** The recordings of a folder, one a `.json` file, by name. Files that hold no events are left out. */
export async function readRecordings(folder: string): Promise<readonly Recording[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".json")).toSorted();
  const texts: (readonly [name: string, text: string])[] = [];
  for (const file of files.slice(0, RECORDINGS_MAX)) {
    const text = await readFile(join(folder, file), "utf8");
    try {
      texts.push([file.slice(0, -".json".length), JSON.stringify(JSON.parse(text))]);
    } catch (cause) {
      throw new Error(`${join(folder, file)} is no JSON`, { cause });
    }
  }
  const numbers = replayedNumbers(texts.map(([, text]) => text));
  return texts.flatMap(([name, text]) => readRecording(name, JSON.parse(withNumbers(text, numbers))) ?? []);
}

export type ServedReplay = {
  /** The carrier's base address, for `baseUrl` in the carriers file. */
  readonly url: string;
  readonly references: readonly ({ readonly recording: string } & ReplayedReference)[];
  close(): Promise<void>;
};

export type ServeReplayOptions = {
  readonly folder: string;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: the system picks one. */
  readonly port?: number;
  /** Milliseconds of the journey for each real one. */
  readonly speed: number;
  readonly clock: { nowMs(): number };
  readonly pageEventsMax?: number;
};

/** Serves a folder's recordings from now on. Throws when the folder holds none. */
export async function serveReplay(options: ServeReplayOptions): Promise<ServedReplay> {
  const { folder, clock, speed, pageEventsMax } = options;
  const recordings = await readRecordings(folder);
  if (recordings.length === 0) throw new Error(`${folder} holds no recorded answers`);
  const replay = createReplay({
    recordings,
    speed,
    clock,
    startMs: clock.nowMs(),
    ...(pageEventsMax === undefined ? {} : { pageEventsMax }),
  });
  const answer = async (request: IncomingMessage) => {
    const asked = new URL(request.url ?? "/", "http://replay");
    const { status, headers, body } = replay.handle({ path: asked.pathname, query: asked.searchParams });
    return { status: request.method === "GET" ? status : 405, headers, body };
  };
  const { url, close } = await listen(options.port ?? 0, answer, options.host);
  return { url: `${url}/v2`, references: replay.currentReferences(), close };
}
