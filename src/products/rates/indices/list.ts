/** The indices with their latest values, as routes and commands show them. */
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { listLatestIndexValues, listIndices } from "../store/rate-indices.ts";
import { INDICES_MAX } from "./definition.ts";
import {
  indexView,
  indexValueView,
  VALUES_FOR_CHANGES,
  type IndexView,
  type IndexValueView,
} from "./view.ts";

export type ListedIndex = IndexView & { readonly latest: IndexValueView };

/** By id. */
export async function listIndicesWithLatest(
  connection: Connection,
  directory: Cell,
): Promise<readonly ListedIndex[]> {
  const indices = await listIndices(connection, directory, INDICES_MAX);
  const ids = indices.map(({ id }) => id);
  const values = await listLatestIndexValues(connection, directory, ids, 1 + VALUES_FOR_CHANGES);
  const valuesOf = Map.groupBy(values, ({ indexId }) => indexId);
  return indices.flatMap((index) => {
    const [latest, ...before] = valuesOf.get(index.id) ?? [];
    // An index that has just been deleted has none.
    return latest === undefined ? [] : [{ ...indexView(index), latest: indexValueView(latest, before) }];
  });
}
