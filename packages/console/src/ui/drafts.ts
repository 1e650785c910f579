/** What is typed into long forms, for readers who leave the page or must sign in again: until it is sent, or they sign out. */
const forget = new Set<() => void>();

export function createDraft<T>(empty: () => T): { now: T } {
  const draft = { now: empty() };
  forget.add(() => void (draft.now = empty()));
  return draft;
}

export function forgetDrafts(): void {
  for (const one of forget) one();
}
