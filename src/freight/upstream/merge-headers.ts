type Headers = Readonly<Record<string, string>>;

/** An airline's own headers go before ours, however they are capitalised. */
export function mergeHeaders(ours: Headers, own: Headers | undefined): Headers {
  const lower = Object.entries(own ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { ...ours, ...Object.fromEntries(lower) };
}
