/** Steps through the loading order. */
import { useEffect, useState } from "preact/hooks";

import { count } from "../../ui/numbers.ts";
import type { Cargo, Container } from "./answers.ts";
import type { Step } from "./steps.ts";
import { sentenceOf } from "./words.ts";

const PLAY_MS = 900;

type StepsBarProps = {
  readonly container: Container;
  readonly steps: readonly Step[];
  readonly lines: readonly Cargo[];
  /** How many steps are done. */
  readonly done: number;
  readonly onStep: (done: number) => void;
};

export function StepsBar({ container, steps, lines, done, onStep }: StepsBarProps) {
  const [isPlaying, setPlaying] = useState(false);
  const last = steps.length;
  useEffect(() => {
    if (!isPlaying) return undefined;
    if (done >= last) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => onStep(done + 1), PLAY_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, done, last]);
  const play = (): void => {
    if (!isPlaying && done >= last) onStep(0);
    setPlaying(!isPlaying);
  };
  const go = (to: number): void => {
    setPlaying(false);
    onStep(to);
  };
  const step = steps[done - 1];
  const placed = step === undefined ? "The container is empty." : sentenceOf(step, lines, container);
  const said = done === last ? `All is loaded. Last: ${placed}` : placed;
  return (
    <div class="steps-bar">
      <div class="steps-controls">
        <button type="button" disabled={done === 0} onClick={() => go(done - 1)}>
          Back
        </button>
        <button type="button" disabled={done >= last} onClick={() => go(done + 1)}>
          Next step
        </button>
        <button type="button" aria-pressed={isPlaying} onClick={play}>
          {isPlaying ? "Pause" : "Play"}
        </button>
        <input
          type="range"
          min={0}
          max={last}
          value={done}
          aria-label="Step"
          aria-valuetext={`${done} of ${last}`}
          onInput={({ currentTarget }) => go(Number(currentTarget.value))}
        />
        <span class="step-count">
          {count(done)} of {count(last)}
        </span>
      </div>
      <p class="said" role="status">
        {said}
      </p>
    </div>
  );
}
