import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { StartupError } from "../../runtime/startup-error.ts";
import type { Cell } from "../cell.ts";
import type { Connection, DatabaseAddress } from "../database.ts";
import type { Shards } from "../shards/on-shards.ts";
import { guardShards } from "../shards/shards.ts";
import { listCells, type ListedCell } from "./cells.ts";
import { readPlacements, workerAddress, type Placement } from "./citus.ts";
import { createHomes, type Home } from "./homes.ts";

const NO_SHARDS: Shards = new Map();

/** While a cell moves, every statement on it asks where it lives. */
const READ_AFTER_MS_MIN = 300;

/**
 * Reads where the cells live: from the directory's list of cells, and on Citus from its metadata. `servers` are URLs by
 * name.
 */
export function createHomeReader(directory: DatabaseAddress, servers: ReadonlyMap<string, string>, log: Log) {
  const addressAt = createAddresses(directory);
  let refresh: () => Promise<void> = async () => undefined;
  const homes = createHomes(directory, () => refresh());

  function homeOf(listed: ListedCell | undefined, placement: Placement | undefined): Omit<Home, "shards"> {
    const owner = addressAt(serverNamed(servers, directory, listed?.server ?? ""));
    const address = placement === undefined ? owner : addressAt(workerAddress(owner, placement));
    return { address, owner };
  }

  /** True: the cell lived elsewhere before. */
  async function place(db: Connection, cell: Cell, home: Omit<Home, "shards">): Promise<boolean> {
    const before = homes.placedAt(cell.schema);
    const isElsewhere = before?.address !== home.address;
    const isOnShards = home.address !== home.owner;
    if (!isElsewhere && (!isOnShards || before.shards.size > 0)) return false;
    homes.place(cell.schema, { ...home, shards: NO_SHARDS });
    if (isOnShards) homes.place(cell.schema, { ...home, shards: await guardShards(db, cell) });
    return before !== undefined && isElsewhere;
  }

  /** Rejects while the directory's server cannot be reached; the homes do not change. Returns who lived elsewhere. */
  async function read(db: Connection, cells: readonly Cell[]): Promise<readonly Cell[]> {
    const listed = new Map((await listCells(db, cells[0]!)).map((one) => [one.number, one]));
    const placements = new Map((await readPlacements(db)).map((one) => [one.schema, one]));
    const moved: Cell[] = [];
    for (const cell of cells) {
      const home = homeOf(listed.get(cell.number), placements.get(cell.schema));
      if (await place(db, cell, home)) moved.push(cell);
    }
    return moved;
  }

  return {
    homes,
    read,
    /** From now on statements that find their cell gone make the homes be read again. */
    follow(db: Connection, cells: readonly Cell[], clock: Pick<Clock, "monotonicMs">): () => Promise<void> {
      let reading: Promise<void> | null = null;
      let readAtMs = Number.NEGATIVE_INFINITY;
      const readOnce = async (): Promise<void> => {
        for (const { number } of await read(db, cells)) {
          log.info({ cell: number }, "a cell lives on another server now");
        }
        readAtMs = clock.monotonicMs();
      };
      // Many statements may find out at once.
      refresh = async () => {
        if (clock.monotonicMs() - readAtMs < READ_AFTER_MS_MIN) return;
        await (reading ??= readOnce().finally(() => {
          reading = null;
        }));
      };
      return refresh;
    },
  };
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
