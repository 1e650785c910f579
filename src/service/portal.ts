/** The portal as the settings say it. */
import { baseUrlOf } from "../freight/announcements/running.ts";
import type { PortalSettings } from "../http/portal/pages.ts";
import type { OperatorRoute } from "../operator/ports.ts";
import { portalLinksRoute, type Linking } from "../operator/portal-links.ts";
import type { Settings } from "../runtime/settings.ts";

export function portalSettings(settings: Settings): PortalSettings {
  const { portalSessionMs, portalFrames, portalName, portalColor } = settings;
  return {
    sessionMs: portalSessionMs,
    frameAncestors: portalFrames,
    name: portalName,
    color: portalColor,
  };
}

/** `listening`: where this process serves; null: it does not, or not yet. */
export function portalUrlOf(
  tag: string,
  settings: Pick<Settings, "publicUrl" | "hosts" | "listen">,
  listening: string | null,
): string {
  const hasHost = [...(settings.hosts?.values() ?? [])].includes(tag);
  const publicUrl = settings.publicUrl ?? (hasHost ? null : listening);
  return `${baseUrlOf(tag, { ...settings, publicUrl })}/portal`;
}

/** The route of a service, which listens later: the system may pick its port. */
export function portalLinks(
  settings: Settings,
  linking: Omit<Linking, "portalUrl">,
): { readonly route: OperatorRoute; listensAt(url: string | null): void } {
  let listening: string | null = null;
  return {
    route: portalLinksRoute({ ...linking, portalUrl: (tag) => portalUrlOf(tag, settings, listening) }),
    listensAt(url) {
      listening = url;
    },
  };
}
