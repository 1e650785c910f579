/**
 * The service cannot start as things are, and a person has to act. The message says what is wrong and what
 * to do, and is all that the person needs to see.
 */
export class ServiceStartupError extends Error {
  override readonly name = "ServiceStartupError";
}
