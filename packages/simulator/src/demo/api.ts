/** The service's HTTP interfaces as the demo's client calls them. */

export type Api = {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
};

const ANSWER_MS_MAX = 10_000;

/** Calls one listener with one token or key. Rejects when the answer is not 2xx. */
export function createApi(baseUrl: string, token: string): Api {
  async function ask<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  }
  return {
    get: (path) => ask("GET", path),
    post: (path, body) => ask("POST", path, body),
  };
}
