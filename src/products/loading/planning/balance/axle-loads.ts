/** What each group of axles carries: the law of the lever, for a trailer first and then for the tractor under its kingpin. */
import type { Vehicle } from "../../request/cargo.ts";

/** In the order of the groups. `momentGmm`: of the weight, about the front wall. */
export function axleLoadsG(
  { kingpinMm, axleGroups }: Vehicle,
  weightG: number,
  momentGmm: number,
): readonly number[] {
  const [front, rear, trailer] = axleGroups;
  const onTrailer =
    trailer === undefined || kingpinMm === null
      ? 0
      : (momentGmm - kingpinMm * weightG) / (trailer.positionMm - kingpinMm);
  const left = weightG - onTrailer;
  const leftMoment = trailer === undefined ? momentGmm : left * (kingpinMm ?? 0);
  const onRear = (leftMoment - front!.positionMm * left) / (rear!.positionMm - front!.positionMm);
  return [left - onRear, onRear, onTrailer]
    .slice(0, axleGroups.length)
    .map((load, at) => load + axleGroups[at]!.tareG);
}
