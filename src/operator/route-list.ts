/** `GET /`: the routes of the operator's listener, for whoever has found it and nothing else. */
import type { Listener } from "../http/listener.ts";

/** To be mounted before all other routes. No token is asked for. */
export function listRoutes(app: Listener): void {
  const routes: string[] = [];
  app.addHook("onRoute", ({ method, url, schema }) => {
    if (schema?.hide === true) return;
    for (const one of [method].flat()) {
      // HEAD comes with every GET.
      if (one !== "HEAD") routes.push(`${one} ${url.replaceAll(/:(\w+)/g, "{$1}")}`);
    }
  });
  app.get("/", async () => ({ documentation: "docs/operator-api.md", routes }));
}
