/** The service or its store cannot open until a person acts. The message, shown alone, says what is wrong and what to do. */
export class StartupError extends Error {
  override readonly name = "StartupError";
  /** What is wrong is a setting, or the file that it names. */
  readonly isOfSetting: boolean;

  constructor(
    message: string,
    { isOfSetting = false, ...options }: ErrorOptions & { readonly isOfSetting?: boolean } = {},
  ) {
    super(message, options);
    this.isOfSetting = isOfSetting;
  }
}
