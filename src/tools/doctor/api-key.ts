import { createCheck, type Finding } from './finding.js';

const dayMs = 86_400_000;
/** A renewal needs a rollout of all processes. */
const warnBeforeMs = 21 * dayMs;

/**
 * When TEMPORAL_API_KEY ends: a key of Temporal Cloud is a JSON Web Token with an end, after which no process connects. Nothing is
 * found where the key is no such token.
 * @param now an instant
 */
export function* checkApiKey(apiKey: string, now: number): Generator<Finding> {
  const endsAt = endOf(apiKey);
  if (endsAt === undefined) return;
  const check = createCheck('temporal', 'key');
  const day = new Date(endsAt).toISOString().slice(0, 10);
  const todo = 'make a new one and restart every process with it (docs/deploying.md, "Renew the key")';
  if (endsAt <= now) yield check.fail(`TEMPORAL_API_KEY ended on ${day}`, { todo });
  else if (endsAt - now < warnBeforeMs) yield check.warn(`TEMPORAL_API_KEY ends on ${day}`, { todo });
  else yield check.ok(`TEMPORAL_API_KEY ends on ${day}`);
}

/** The claim `exp` (RFC 7519) as an instant. */
function endOf(token: string): number | undefined {
  try {
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return typeof exp === 'number' ? exp * 1_000 : undefined;
  } catch {
    return undefined;
  }
}
