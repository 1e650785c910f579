/** The service or its store cannot open until a person acts. The message, shown alone, says what is wrong and what to do. */
export class StartupError extends Error {
  override readonly name = "StartupError";
}
