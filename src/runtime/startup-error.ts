/** The service cannot start until a person acts. The message says what is wrong and what to do. */
export class ServiceStartupError extends Error {
  override readonly name = "ServiceStartupError";
}
