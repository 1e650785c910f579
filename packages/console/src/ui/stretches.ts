/** Blocks of rows that are shown, and the gaps between them. */

/** Blocks from `from` to below `to`, shown or as a gap. */
export type Stretch = {
  readonly from: number;
  readonly to: number;
  readonly isGap: boolean;
  readonly heightPx: number;
};

/**
 * The stretches of all blocks. `topPx`, `bottomPx`: what is to be shown, from the first block on; `pinned`: blocks that
 * are shown wherever they are.
 */
export function stretchesOf(
  heights: readonly number[],
  topPx: number,
  bottomPx: number,
  pinned: readonly number[],
): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let at = 0;
  heights.forEach((height, block) => {
    const isShown = (at < bottomPx && at + height > topPx) || pinned.includes(block);
    at += height;
    const last = stretches.at(-1);
    if (last !== undefined && last.isGap === !isShown)
      stretches[stretches.length - 1] = { ...last, to: block + 1, heightPx: last.heightPx + height };
    else stretches.push({ from: block, to: block + 1, isGap: !isShown, heightPx: height });
  });
  return stretches;
}
