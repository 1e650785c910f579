/** A page of a list, newest first: at most `limit` items after `afterId`; null: from the newest on. */
export type PageRequest = { readonly afterId: string | null; readonly limit: number };

/** A page of a log, newest first: of the ids, which are times, from `fromId` to below `beforeId`. */
export type LogPageRequest = { readonly fromId: string; readonly beforeId: string; readonly limit: number };

/** A page of a log is not full where enough has been looked through: the next one begins behind `lastId`. */
export type LogPage<Item> = { readonly items: readonly Item[]; readonly lastId: string | null };
