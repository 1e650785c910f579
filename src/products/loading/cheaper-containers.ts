/**
 * A plan's containers, each changed for a cheaper or a smaller one where its cargo goes into that as well: what was
 * chosen for its room is often full by weight before.
 */
import { volumeOf, type ContainerChoice, type LoadRequest } from "./cargo.ts";
import {
  costOf,
  fillContainer,
  isAllPlaced,
  isBudgetSpent,
  compareCosts,
  type LoadedContainer,
  type SearchBudget,
} from "./container-filling.ts";
import { piecesOf } from "./packing/item.ts";

export function useCheaperContainers(
  request: LoadRequest,
  containers: readonly LoadedContainer[],
  work: SearchBudget,
): readonly LoadedContainer[] {
  const used = new Map<ContainerChoice, number>();
  const use = (choice: ContainerChoice, more: number) => used.set(choice, (used.get(choice) ?? 0) + more);
  for (const { choice } of containers) use(choice, 1);
  // Containers that are filled alike are one object.
  const found = new Map<LoadedContainer, readonly LoadedContainer[]>();
  return containers.map((container) => {
    const cheaper = found.get(container) ?? cheaperFits(request, container, work);
    found.set(container, cheaper);
    const other = cheaper.find(({ choice }) => (used.get(choice) ?? 0) < (choice.count ?? Infinity));
    if (other === undefined) return container;
    use(container.choice, -1);
    use(other.choice, 1);
    return other;
  });
}

/** The same cargo in each cheaper container that takes all of it, the cheapest first. */
function cheaperFits(
  { cargo, containers }: LoadRequest,
  { choice, stacks, volume, weightG }: LoadedContainer,
  work: SearchBudget,
): readonly LoadedContainer[] {
  const counts = new Int32Array(cargo.length);
  for (const stack of stacks) counts[stack.item]! += piecesOf(stack);
  const isCheaper = (other: ContainerChoice) =>
    compareCosts(costOf(other), costOf(choice)) < 0 &&
    weightG <= other.type.payloadG &&
    volume <= volumeOf(other.type);
  const fits: LoadedContainer[] = [];
  for (const other of containers.filter(isCheaper).toSorted((a, b) => compareCosts(costOf(a), costOf(b)))) {
    if (isBudgetSpent(work)) break;
    const items = work.itemsByChoice.get(other)!;
    if (counts.some((pieces, line) => pieces > 0 && items[line]!.poses.length === 0)) continue;
    const filled = fillContainer(other, items, counts, work);
    if (!isAllPlaced(filled)) continue;
    fits.push({ choice: other, stacks: filled.stacks, volume, weightG });
    if (other.count === null) break;
  }
  return fits;
}
