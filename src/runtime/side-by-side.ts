/** Works on all items, `runningMax` at a time; resolves when all have ended, with how each did, in the items' order. */
export async function sideBySide<T, Result>(
  items: readonly T[],
  runningMax: number,
  work: (item: T) => Promise<Result>,
): Promise<readonly PromiseSettledResult<Result>[]> {
  const ended: PromiseSettledResult<Result>[] = [];
  const rest = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of rest) {
      const [one] = await Promise.allSettled([work(item)]);
      ended[index] = one;
    }
  };
  await Promise.all(Array.from({ length: Math.min(runningMax, items.length) }, worker));
  return ended;
}
