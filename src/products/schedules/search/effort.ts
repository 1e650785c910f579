/** What one search checks: calls, legs and ways. Bounded, whatever the record holds and however it fits together. */
export type Effort = {
  spend(steps: number): void;
  /** How many steps so far. */
  spent(): number;
  isLeft(): boolean;
};

/** Of a page: 100 vessels that call each day at one of 60 ports take six million. */
export const STEPS_MAX = 8_000_000;

export function createEffort(stepsMax: number): Effort {
  let spent = 0;
  return {
    spend(steps) {
      spent += steps;
    },
    spent: () => spent,
    isLeft: () => spent <= stepsMax,
  };
}
