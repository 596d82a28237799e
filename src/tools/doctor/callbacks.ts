import type { Config } from '../../app/config/index.js';
import type { WireProfile } from '../../platform/profile.js';
import { createCheck, type Finding } from './finding.js';
import { originHere } from './origin-here.js';
import { checkReceiver } from './receiver.js';

interface Receiving {
  /** Base address that the platform has for callbacks. */
  publicUrl: string | undefined;
  /** Whether a Handover of these settings answers on this machine. */
  isRunning: boolean;
}

/** Checks the receiver of callbacks: at the address that the platform has, or else the one of this machine. */
export async function* checkCallbacks(
  config: Config,
  profile: WireProfile,
  { publicUrl, isRunning }: Receiving,
): AsyncGenerator<Finding> {
  const { auth, secrets } = config.callbacks;
  const check = createCheck('callbacks', 'receiver', { goLive: 'callbacks' });
  const receiver = {
    area: 'callbacks',
    goLive: 'callbacks',
    paths: profile.callbacks.paths,
    auth,
    secrets,
  } as const;
  const { channelKey, supplierKey } = config.platform;
  // without any key the sandbox's channel is played
  const receivesCallbacks =
    channelKey !== undefined || supplierKey === undefined || config.callbacks.expected;
  if (!receivesCallbacks) {
    yield check.skip('no callbacks are expected: there is no channel key and no CALLBACK_SECRETS', {
      todo: 'reservations are adopted or found by the reconciliation; for forwarding see docs/operations.md',
    });
    return;
  }
  if (publicUrl !== undefined)
    return yield* checkReceiver({ ...receiver, url: publicUrl, name: '--callback-url' });
  // callbacks have the port of the status API, or one of their own (CALLBACK_PORT)
  const own = originHere(config, config.callbacks.port ?? config.http.port);
  if (own !== undefined && isRunning) yield* checkReceiver({ ...receiver, url: own, name: own });
  const local = config.platform.baseUrl === undefined;
  const text = 'the address that callbacks are sent to is not known here';
  const todo = 'give --callback-url with the address that the platform has for callbacks';
  if (!local) yield check.warn(text, { todo });
  else if (!isRunning)
    yield check.skip('no receiver runs here', { todo: 'start it, or give --callback-url' });
}
