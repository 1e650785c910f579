import { PRODUCT } from "./place.ts";

type WhichAccountProps = {
  readonly current: string;
  readonly linked: string;
  readonly replace: () => void;
  readonly onChosen: () => void;
};

/** Before a link replaces the session of another account. */
export function WhichAccount({ current, linked, replace, onChosen }: WhichAccountProps) {
  return (
    <main class="sign-in portal">
      <div class="card">
        <span class="mark" aria-hidden="true">
          {PRODUCT.initial}
        </span>
        <h1>Another account</h1>
        <p>
          You are signed in as <strong>{current}</strong>. The link that you opened is of{" "}
          <strong>{linked}</strong>: what you register there is theirs. Go there only if you expected it.
        </p>
        <button type="button" class="primary" onClick={onChosen}>
          Stay with {current}
        </button>
        <button
          type="button"
          class="plain"
          onClick={() => {
            replace();
            onChosen();
          }}
        >
          Go to {linked}
        </button>
      </div>
    </main>
  );
}
