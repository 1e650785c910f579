/** Takes out of what was recorded each secret, address and name of the machine. */
import { FAKE_KEY } from "./refusals.ts";
import type { TryVariables } from "./try-world.ts";

const FORMS: readonly (readonly [RegExp, string])[] = [
  [/whsec_[\w-]{64}/g, `whsec_${"A".repeat(64)}`],
  [/sha256=[0-9a-f]{64}/g, `sha256=${"6f0c".repeat(16)}`],
  [/\b(tracking|schedules|rates|loading)_[A-Za-z0-9]{36}\b/g, FAKE_KEY.replace("tracking", "$1")],
  [
    /\b(link|session)\.[\w-]{10,}\.[\w-]{20,}/g,
    "$1.eyJwcm9kdWN0IjoiYWlyIn0.o6ZaLXaGtvPevAu2-SVXLT8JDQ3uVvUDoq79uL2SQKo",
  ],
  [
    /\b[\w-]{16,}\.\d{13}\.[\w-]{16,}/g,
    "Qm9hdGhvb2sgc2Vzc2lvbg.1795780800000.GQ3b1yG0sB1m3Wc0rXw9Vb7Jd2Lk5Pq8Tn4Hf6Zs1Ec",
  ],
  [/https:\/\/127\.0\.0\.1:\d+/g, "https://example.com"],
  [/http:\/\/127\.0\.0\.1:\d+/g, "https://webhooks.example.com"],
  [/127\.0\.0\.1:\d+/g, "203.0.113.7:443"],
  [/127\.0\.0\.1/g, "203.0.113.7"],
  [/\/[\w/.-]*boathook-(?:try|examples)-\w+/g, "/var/lib/boathook"],
];

export function withoutSecrets<Recorded>(recorded: Recorded, { TOKEN }: TryVariables): Recorded {
  const text = JSON.stringify(recorded).replaceAll(TOKEN, "the operator's token");
  return JSON.parse(
    FORMS.reduce((left, [form, instead]) => left.replaceAll(form, instead), text),
  ) as Recorded;
}
