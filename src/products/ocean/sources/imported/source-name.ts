/** The name by which the statements of an import differ from those of another: `edi-provider`. */
export const SOURCE_PATTERN = "^[a-z0-9][a-z0-9._-]{0,62}$";

export const SOURCE_FORM =
  "1 to 63 small letters, digits, dots, hyphens and underscores, such as edi-provider";
