/**
 * Replaces each container of a plan by a cheaper or smaller one that takes the same cargo: a container chosen for its
 * volume is often full by weight first.
 */
import { volumeOf, type ContainerChoice, type LoadRequest } from "../request/cargo.ts";
import {
  costOf,
  costOfLoaded,
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
  budget: SearchBudget,
): readonly LoadedContainer[] {
  const used = new Map<ContainerChoice, number>();
  const use = (choice: ContainerChoice, more: number) => used.set(choice, (used.get(choice) ?? 0) + more);
  for (const { choice } of containers) use(choice, 1);
  // Containers filled in the same way are one object.
  const fitsOf = new Map<LoadedContainer, readonly LoadedContainer[]>();
  return containers.map((container) => {
    const cheaper = fitsOf.get(container) ?? cheaperFits(request, container, budget);
    fitsOf.set(container, cheaper);
    const other = cheaper.find(({ choice }) => (used.get(choice) ?? 0) < (choice.count ?? Infinity));
    if (other === undefined) return container;
    use(container.choice, -1);
    use(other.choice, 1);
    return other;
  });
}

/** The same cargo in each cheaper container that takes it all, the cheapest first. */
function cheaperFits(
  { cargo, containers }: LoadRequest,
  { choice, stacks, volume, weightG }: LoadedContainer,
  budget: SearchBudget,
): readonly LoadedContainer[] {
  const counts = new Int32Array(cargo.length);
  for (const stack of stacks) counts[stack.item]! += piecesOf(stack);
  const isCheaper = (other: ContainerChoice) =>
    compareCosts(costOf(other), costOf(choice)) < 0 &&
    weightG <= other.type.payloadG &&
    volume <= volumeOf(other.type);
  const fits: LoadedContainer[] = [];
  for (const other of containers.filter(isCheaper).toSorted((a, b) => compareCosts(costOf(a), costOf(b)))) {
    if (isBudgetSpent(budget)) break;
    const items = budget.itemsByChoice.get(other)!;
    if (counts.some((pieces, line) => pieces > 0 && items[line]!.poses.length === 0)) continue;
    const filled = fillContainer(other, counts, budget);
    if (!isAllPlaced(filled)) continue;
    const { stacks: otherwise, volume: inside } = filled;
    const loaded = { choice: other, stacks: otherwise, volume: inside, weightG };
    if (compareCosts(costOfLoaded(loaded), costOfLoaded({ choice, stacks })) >= 0) continue;
    fits.push(loaded);
    if (other.count === null) break;
  }
  return fits;
}
