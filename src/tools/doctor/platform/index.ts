import { gaps } from '../../../platform/gaps.js';
import type { WireProfile } from '../../../platform/profile.js';
import { createCheck, type Finding, type GapId } from '../finding.js';
import { reach } from '../reach.js';
import { openPlatform, type Platform } from './ask.js';
import { checkKeys, type Keys } from './keys.js';
import { checkReads } from './reads.js';

/** Beyond it timestamps of the two sides cannot be compared with confidence; beyond the other, signatures are refused. */
const skew = { warnMs: 5_000, failMs: 120_000 };

/** Checks the platform at a base address: connection, keys, clock, and answers to reads. Sends GETs only. */
export async function* checkPlatform(
  baseUrl: string,
  profile: WireProfile,
  keys: Keys,
): AsyncGenerator<Finding> {
  const isOpen = yield* reach(baseUrl, { area: 'platform', name: 'PLATFORM_BASE_URL', goLive: 'firewall' });
  if (!isOpen) return;
  let platform: Platform;
  try {
    platform = openPlatform(baseUrl, profile);
  } catch (error) {
    // this message describes a right address, and does not contain the given one
    yield createCheck('platform', 'PLATFORM_BASE_URL').fail((error as Error).message, { todo: 'set it so' });
    return;
  }
  try {
    yield await checkClock(platform);
    const working = yield* checkKeys(platform, keys);
    const seen = new Set<GapId>();
    for await (const finding of checkReads(platform, working)) {
      for (const gap of finding.gaps ?? []) seen.add(gap);
      yield finding;
    }
    yield listUnseen(seen);
  } finally {
    await platform.close();
  }
}

/** Compares the header `Date` of an answer, which has whole seconds, with this machine's clock. */
async function checkClock(platform: Platform): Promise<Finding> {
  const check = createCheck('platform', 'clock');
  const received = await platform.read('listProducts', {});
  const date = received.cut === undefined ? Date.parse(received.headers.date ?? '') : Number.NaN;
  if (received.cut !== undefined || Number.isNaN(date))
    return check.skip('the platform sends no time (header Date)');
  const apart = date + 500 - (received.sentAt + received.answered) / 2;
  const text = `${(Math.abs(apart) / 1000).toFixed(1)} s ${apart < 0 ? 'behind' : 'ahead of'} this machine`;
  const todo = 'synchronise the clock of this machine (NTP), or report it to the platform';
  if (Math.abs(apart) > skew.failMs)
    return check.fail(`${text}: signatures of callbacks would be refused`, { todo });
  return Math.abs(apart) > skew.warnMs ? check.warn(text, { todo }) : check.ok(text);
}

/** The gaps that no read showed: they concern callbacks and writes, or there was nothing to read. */
function listUnseen(seen: ReadonlySet<GapId>): Finding {
  const ids = (Object.keys(gaps) as GapId[]).filter((id) => !seen.has(id) && id !== 'G26' && id !== 'G27');
  return createCheck('wire profile', 'not checked').skip(
    `${ids.join(' ')}: only callbacks, writes and time show them, or nothing was there to read`,
    { todo: "compare them with docs/gap-ledger.md and the platform's own documentation" },
  );
}
