/** A page of a list, newest first: at most `limit` items after `afterId`; null: from the newest on. */
export type PageRequest = { readonly afterId: string | null; readonly limit: number };
