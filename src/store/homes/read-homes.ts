import { StoreUnavailable } from "../../model/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { sleep } from "../../runtime/sleep.ts";
import { StartupError } from "../../runtime/startup-error.ts";
import { nameOfCell, OF_ACCOUNTS, type Cell } from "../cell.ts";
import type { Database, DatabaseAddress } from "../database.ts";
import type { Shards } from "../shards/on-shards.ts";
import { guardShards } from "../shards/shards.ts";
import { listCells, type ListedCell } from "./cells.ts";
import { readPlacements, workerAddress, type Placement } from "./citus.ts";
import { createHomes, type Home } from "./homes.ts";

const NO_SHARDS: Shards = new Map();

/** While a cell moves, every statement on it asks where it lives, and waits so long after the last answer. */
const READ_AFTER_MS_MIN = 100;

/** `servers` are URLs by name; cells that wait for their migrations take no statements. */
type ReaderPorts = {
  readonly directory: DatabaseAddress;
  readonly servers: ReadonlyMap<string, string>;
  readonly waits: (cell: Cell) => boolean;
  readonly log: Log;
};

/** Reads where the cells live: from the directory's list of cells, and on Citus from its metadata. */
export function createHomeReader(ports: ReaderPorts) {
  const { directory, servers, log } = ports;
  let refresh: () => Promise<void> = async () => undefined;
  let listed: ReadonlyMap<number, ListedCell> = new Map();
  const homes = createHomes(directory, () => refresh());
  const { place, serverAt } = createPlaces(ports, homes);

  /**
   * Rejects while the directory's server cannot be reached, and at a cell that never had a home here and lives on a
   * server without a name; the homes do not change. Returns who lived elsewhere.
   */
  async function read(db: Database, cells: readonly Cell[]): Promise<readonly Cell[]> {
    listed = new Map((await listCells(db, cells[0]!)).map((one) => [one.number, one]));
    const placements = new Map((await readPlacements(db)).map((one) => [one.schema, one]));
    const moved = await Promise.all(
      cells.map((cell) =>
        place(db, cell, listed.get(cell.number)?.server ?? "", placements.get(cell.schema)),
      ),
    );
    return cells.filter((_, index) => moved[index]);
  }

  return {
    homes,
    read,
    /** How many cells of accounts the directory had when it was last read. */
    listedCount: () => [...listed.values()].filter(({ kind }) => kind === OF_ACCOUNTS).length,
    /** Where a server is, by its name. */
    serverAt,
    /** Whether this process knows where the cell's server is. */
    isNamed: (cell: Cell) => isNamed(servers, listed.get(cell.number)?.server ?? ""),
    /** From now on statements that find their cell gone make the homes be read again. */
    follow(db: Database, cells: () => readonly Cell[], clock: Clock): () => Promise<void> {
      refresh = onceAtATime(clock, async () => {
        for (const cell of await read(db, cells())) {
          log.info({ cell: nameOfCell(cell) }, "a cell lives on another server now");
        }
      });
      return refresh;
    },
  };
}

function createPlaces(
  { directory, servers, waits, log }: ReaderPorts,
  homes: ReturnType<typeof createHomes>,
) {
  const addressAt = createAddresses(directory);
  const reach = createReachLog(log);
  const serverAt = (name: string) => addressAt(serverNamed(servers, directory, name));

  function homeOn(server: string, placement: Placement | undefined): Omit<Home, "shards"> {
    const owner = serverAt(server);
    if (placement === undefined) return { name: server, address: owner, owner };
    const address = addressAt(workerAddress(owner, placement));
    return { name: `${placement.host}:${placement.port}`, address, owner };
  }

  /** True: the cell lived elsewhere before. Statements go to a new home once its shards are guarded. */
  async function place(db: Database, cell: Cell, server: string, placement?: Placement): Promise<boolean> {
    const before = homes.placedAt(cell.schema);
    const refuse = (home: Omit<Home, "shards">) => homes.place(cell.schema, { ...home, shards: null });
    if (before !== undefined && !isNamed(servers, server)) {
      reach.gone(cell, server, "BOATHOOK_SERVERS does not name it");
      refuse(before);
      return false;
    }
    const home = homeOn(server, placement);
    const { address, owner } = home;
    if (waits(cell)) {
      refuse(home);
      return false;
    }
    const isElsewhere = before?.address !== address;
    if (!isElsewhere && before.shards !== null) return false;
    try {
      const shards = address === owner ? NO_SHARDS : await guardShards(db.at(address), cell);
      homes.place(cell.schema, { ...home, shards });
      reach.back(cell);
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable)) throw cause;
      reach.gone(cell, home.name, cause);
      refuse(home);
    }
    return before !== undefined && isElsewhere;
  }

  return { place, serverAt };
}

/** Says once that a cell cannot be reached, however often that is tried, and once that it can. */
function createReachLog(log: Log) {
  const tries = new Map<string, number>();
  return {
    gone(cell: Cell, server: string, cause: unknown): void {
      const before = tries.get(cell.schema) ?? 0;
      tries.set(cell.schema, before + 1);
      if (before === 0)
        log.warn({ cell: nameOfCell(cell), server, cause }, "the server of a cell cannot be reached");
    },
    back(cell: Cell): void {
      const fields = { cell: nameOfCell(cell), tries: tries.get(cell.schema) };
      if (tries.delete(cell.schema)) log.info(fields, "the server of a cell is back");
    },
  };
}

/** Many statements may find out at the same time: they share one reading, some time after the one before. */
function onceAtATime(clock: Clock, read: () => Promise<void>): () => Promise<void> {
  let reading: Promise<void> | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;
  const readLater = async (): Promise<void> => {
    const waitMs = readAtMs + READ_AFTER_MS_MIN - clock.monotonicMs();
    if (waitMs > 0) await sleep(clock, waitMs);
    await read();
    readAtMs = clock.monotonicMs();
  };
  return () =>
    (reading ??= readLater().finally(() => {
      reading = null;
    }));
}

/** Makes the same object of the same address. */
function createAddresses(directory: DatabaseAddress): (address: DatabaseAddress) => DatabaseAddress {
  const known = new Map([[JSON.stringify(directory), directory]]);
  return (address) => {
    const key = JSON.stringify(address);
    const one = known.get(key) ?? address;
    known.set(key, one);
    return one;
  };
}

function isNamed(servers: ReadonlyMap<string, string>, name: string): boolean {
  return name === "" || servers.has(name);
}

function serverNamed(
  servers: ReadonlyMap<string, string>,
  directory: DatabaseAddress,
  name: string,
): DatabaseAddress {
  if (name === "") return directory;
  const url = servers.get(name);
  if (url === undefined) {
    throw new StartupError(`A cell lives on the server "${name}", which BOATHOOK_SERVERS does not name.`);
  }
  return { url };
}
