import type { Role } from '../../../platform/model.js';
import { createCheck, type Finding } from '../finding.js';
import type { Answer, Platform, Received } from './ask.js';
import { codeOf, isSuccess, judgeRefusal } from './refusals.js';
import { week } from './week.js';

export type Keys = Partial<Record<Role, string>>;

const variableOf = (role: Role) => `PLATFORM_${role.toUpperCase()}_API_KEY`;

/**
 * Which keys work, and for which role (G26): a request without a key, then with each key a read that both roles have and one
 * that only the supplier has.
 * @returns the keys that read
 */
export async function* checkKeys(platform: Platform, keys: Keys): AsyncGenerator<Finding, Keys> {
  yield* checkWithoutKey(platform);
  const working: Keys = {};
  for (const role of ['channel', 'supplier'] as const) {
    const key = keys[role];
    const check = createCheck('platform', `${role} key`, { goLive: 'authentication' });
    if (key === undefined) {
      yield check.skip(`none is set: the role is off`);
      continue;
    }
    const received = await platform.read('listProducts', { key, query: firstQuery(role) });
    const read = judgeRead(platform, role, received);
    yield read;
    if (read.result !== 'ok') continue;
    working[role] = key;
    yield* checkRole(platform, role, key);
  }
  if (keys.channel !== undefined && keys.channel === keys.supplier)
    yield createCheck('platform', 'keys').warn('both roles have the same key', {
      todo: 'ask the platform for a key of each role (G26), or leave one of the variables unset',
      gaps: ['G26'],
    });
  return working;
}

/** A channel sees approved products only. */
export function firstQuery(role: Role): { productApproveStatus?: 1 } {
  return role === 'channel' ? { productApproveStatus: 1 } : {};
}

async function* checkWithoutKey(platform: Platform): AsyncGenerator<Finding> {
  const check = createCheck('platform', 'no key', { goLive: 'authentication' });
  const received = await platform.read('listProducts', {});
  if (received.cut !== undefined) {
    yield check.fail(`no answer (${received.cut})`, { todo: 'check PLATFORM_BASE_URL' });
    return;
  }
  if (isSuccess(received)) {
    yield check.warn(`HTTP ${received.status}: it reads products without a key`, {
      todo: 'check that PLATFORM_BASE_URL is the platform, and that nothing between adds a key',
    });
    return;
  }
  const { result, text } = judgeRefusal(platform.profile, received, 'UNAUTHORIZED');
  const todo = 'check PLATFORM_BASE_URL; if it is right, add this refusal to the wire profile';
  yield check[result](`refused: ${text}`, { gaps: ['G25'], ...(result !== 'ok' && { todo }) });
}

function judgeRead({ profile }: Platform, role: Role, received: Received): Finding {
  const check = createCheck('platform', `${role} key`, { goLive: 'authentication' });
  if (received.cut !== undefined)
    return check.fail(`no answer (${received.cut})`, { todo: 'try again; check the platform' });
  if (isSuccess(received)) return check.ok('is accepted, and reads products');
  const code = codeOf(profile, received);
  const at = `HTTP ${received.status}`;
  switch (code) {
    case 'UNAUTHORIZED':
      return check.fail(`the platform does not know it (${at} ${code})`, {
        todo: `set ${variableOf(role)} to the key that the platform issued for this address`,
      });
    case 'FORBIDDEN':
      return check.fail(`the platform knows it and lets it read no products (${at} ${code})`, {
        todo: `ask the platform what the key in ${variableOf(role)} is for`,
      });
    case 'RATE_LIMITED':
      return check.warn(`too many requests (${at})`, { todo: 'try again later' });
    default:
      return check.fail(`products are not read: ${at}, ${code}`, {
        todo: 'check PLATFORM_BASE_URL and its path; where the platform answers this way, add it to the wire profile (G25)',
      });
  }
}

async function* checkRole(platform: Platform, role: Role, key: string): AsyncGenerator<Finding> {
  const { profile } = platform;
  const received = await platform.read('listSchedules', { key, query: { ...week(profile) } });
  const check = createCheck('platform', `role of the ${role} key`, { goLive: 'authentication' });
  if (received.cut !== undefined) yield check.warn(`schedules: no answer (${received.cut})`);
  else if (role === 'supplier')
    yield judgeSupplierKey(check, received, isSuccess(received) ? undefined : codeOf(profile, received));
  else if (!profile.operations.listSchedules.roles.includes('channel'))
    yield judgeChannelKey(check, received, isSuccess(received) ? undefined : codeOf(profile, received));
}

type Check = ReturnType<typeof createCheck>;
const gaps = ['G26'] as const;

function judgeSupplierKey(check: Check, { status }: Answer, refused: string | undefined): Finding {
  if (refused === undefined) return check.ok("it reads schedules, as a rental company's does", { gaps });
  if (refused !== 'FORBIDDEN')
    return check.warn(`schedules are not read: HTTP ${status}, ${refused}; see GET /schedule`);
  return check.fail(`it may not read schedules (HTTP ${status} ${refused}): it is no rental company's key`, {
    todo: `set ${variableOf('supplier')} to a supplier's key, or this one as ${variableOf('channel')}`,
    gaps,
  });
}

function judgeChannelKey(check: Check, { status }: Answer, refused: string | undefined): Finding {
  if (refused === 'FORBIDDEN')
    return check.ok(`it may not read schedules (HTTP ${status}), as a channel's`, { gaps });
  if (refused === undefined)
    return check.warn(
      "it reads schedules too: it is a rental company's, or the platform does not distinguish roles",
      {
        todo: 'ask the platform which; if it distinguishes none, Handover does on its side',
        gaps,
      },
    );
  return check.warn(`schedules are refused, and not as FORBIDDEN: HTTP ${status}, ${refused}`, {
    todo: 'add its refusals to the wire profile',
    gaps: ['G25'],
  });
}
