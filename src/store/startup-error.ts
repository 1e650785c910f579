/**
 * The store cannot be opened as things are, and trying again will not help: a person has to act. The
 * message says what is wrong and what to do, and is all that the person needs to see.
 */
export class StoreStartupError extends Error {
  override readonly name = "StoreStartupError";
}
