import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import type { Config } from '../../app/config/index.js';
import { webhookSignature } from '../../outbox/webhook-signature.js';
import type { CallbackKind } from '../../platform/model.js';
import { createCheck, type Finding } from './finding.js';
import { type Reached, reach } from './reach.js';

export interface ReceiverCheck extends Reached {
  /** Base address. */
  url: string;
  paths: Readonly<Record<CallbackKind, string>>;
  /** How the receiver is expected to check. */
  auth: Config['callbacks']['auth'];
  /** Secrets that it should accept. */
  secrets: readonly string[];
}

/** A day: a request signed that long ago is refused for its age, and not stored. */
const longAgoMs = 86_400_000;
/** G33: how long a sender waits for the answer. */
const acknowledgeWithinMs = 5_000;
const withinMs = 10_000;

/**
 * Checks a receiver of callbacks: this deployment's, or the one that FORWARD_URL names. Sends nothing that it could store:
 * a body without a signature, and one with a valid signature that is a day old. It has to refuse both (F85).
 */
export async function* checkReceiver(receiver: ReceiverCheck): AsyncGenerator<Finding> {
  const { url, area, name, goLive, paths, auth, secrets } = receiver;
  if (!(yield* reach(url, receiver))) return;
  const shared = goLive && { goLive };
  if (auth === 'none') {
    yield createCheck(area, `${name}: proof`, shared).warn(
      'CALLBACK_AUTH is none: every client that reaches it may write; no test is sent, because it would be stored',
      { todo: 'agree with the platform on another method, or restrict access (CALLBACK_ALLOW)' },
    );
    return;
  }
  const prefix = auth === 'secret-path' ? `/${randomUUID()}` : '';
  for (const [kind, path] of Object.entries(paths)) {
    const check = createCheck(area, `${name}: ${kind}`, shared);
    const answer = await post(url + prefix + path, {});
    const finding = judgeUnsigned(check, path, answer);
    yield finding;
    if (finding.result === 'fail') return;
  }
  const [path] = Object.values(paths);
  if (auth === 'standard-webhooks' && path !== undefined)
    for (const [index, secret] of secrets.entries())
      yield await checkSecret(receiver, path, secret, index + 1);
  if (auth !== 'standard-webhooks')
    yield createCheck(area, `${name}: secret`, shared).skip(
      `whether the secret fits shows only with a callback that is stored (CALLBACK_AUTH is ${auth})`,
    );
}

type Answer = { status: number; code: string | undefined; ms: number } | { broke: string };
type Check = ReturnType<typeof createCheck>;

function judgeUnsigned(check: Check, path: string, answer: Answer): Finding {
  if ('broke' in answer)
    return check.fail(`no answer to a POST (${answer.broke})`, { todo: 'see that the receiver runs' });
  const { status, code, ms } = answer;
  const at = `HTTP ${status}${code === undefined ? '' : ` ${code}`}`;
  if (status === 401) {
    const text = `refuses an unsigned request: ${at}, within ${Math.round(ms)} ms`;
    return ms < acknowledgeWithinMs / 2
      ? check.ok(text)
      : check.warn(`${text}; senders wait ${acknowledgeWithinMs / 1000} s (G33)`);
  }
  if (code === 'ADDRESS_NOT_ALLOWED')
    return check.warn(`the receiver refuses this machine's address: ${at}`, {
      todo: 'run this from an address that CALLBACK_ALLOW names, to check more',
    });
  if (status < 300)
    return check.fail(`accepted an unsigned request: ${at}`, {
      todo: 'check that this is Handover and what its CALLBACK_AUTH is: an empty event of this check may be stored there now',
    });
  if (status === 404 || status === 405)
    return check.fail(`has no ${path}: ${at}`, {
      todo: 'check the path of the address, and that both sides have the same WIRE_PROFILE (G28-G30)',
    });
  return check.fail(`${at} to an unsigned request, where 401 is due`, {
    todo: 'see what stands in front of the receiver',
  });
}

async function checkSecret(
  { url, area, name, goLive }: ReceiverCheck,
  path: string,
  secret: string,
  place: number,
): Promise<Finding> {
  const check = createCheck(area, `${name}: secret ${place}`, goLive && { goLive });
  const id = `doctor_${randomUUID()}`;
  const timestamp = String(Math.floor((Date.now() - longAgoMs) / 1000));
  const signature = webhookSignature(secret, { id, timestamp, raw: empty });
  const answer = await post(url + path, {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  });
  if ('broke' in answer) return check.fail(`no answer (${answer.broke})`, { todo: 'try again' });
  switch (answer.code) {
    case 'TIMESTAMP_STALE':
      return check.ok(
        'is one that the receiver knows: a request of yesterday, signed with it, is refused for its age alone',
      );
    case 'SIGNATURE_MISMATCH':
      return check.fail('is none that the receiver knows', { todo: 'give both sides the same secret' });
    default:
      return check.skip(
        `does not show: HTTP ${answer.status}${answer.code === undefined ? '' : ` ${answer.code}`}`,
      );
  }
}

const empty = Buffer.from('{}');

async function post(url: string, headers: Record<string, string>): Promise<Answer> {
  const began = performance.now();
  try {
    const { statusCode: status, body } = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'handover doctor', ...headers },
      body: empty,
      signal: AbortSignal.timeout(withinMs),
    });
    const text = await body.text();
    return { status, code: codeIn(text), ms: performance.now() - began };
  } catch (error) {
    const { code, name } = error as { code?: unknown; name?: string };
    return { broke: typeof code === 'string' ? code : (name ?? 'unknown') };
  }
}

/** The code of a problem document; undefined for anything else. */
function codeIn(text: string): string | undefined {
  try {
    const { code } = JSON.parse(text) as { code?: unknown };
    return typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) ? code : undefined;
  } catch {
    return undefined;
  }
}
