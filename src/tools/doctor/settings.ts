import type { Config } from '../../app/config/index.js';
import type { WireProfile } from '../../platform/profile.js';
import { createCheck, type Finding } from './finding.js';

/** Checks of the settings alone, before any request. */
export function* checkSettings(
  { platform, codec, tokens, callbacks, alerts, databaseUrl, temporal }: Config,
  profile: WireProfile,
  generatedIn: string | undefined,
): Generator<Finding> {
  const given = createCheck('configuration', 'settings');
  const roles = [
    ...(platform.channelKey === undefined ? [] : ['channel']),
    ...(platform.supplierKey === undefined ? [] : ['supplier']),
  ];
  const own = profile.differs.length === 0 ? '' : `, which differs in ${profile.differs.join(' ')}`;
  yield given.ok(`roles: ${roles.join(' and ') || 'none'}; wire profile ${profile.name}${own}`);
  if (generatedIn !== undefined)
    yield createCheck('configuration', 'generated secrets').ok(
      `unset values come from ${generatedIn}, as with npm start; handover worker and api read the environment alone`,
    );

  const isCluster = databaseUrl !== undefined && temporal.external;
  yield checkCodecKeys(codec, isCluster);
  yield checkTokens(tokens, { isCluster, isApi: codec.endpointToken !== undefined });

  const alertSecret = createCheck('configuration', 'ALERT_SECRET');
  if (alerts.url !== undefined && alerts.secret === undefined)
    yield isCluster
      ? alertSecret.fail('not set beside ALERT_URL', {
          todo: 'give `whsec_` and the base64 of 24 bytes or more',
        })
      : alertSecret.skip('not set: npm start makes it');
  const senders = createCheck('configuration', 'CALLBACK_ALLOW', { goLive: 'firewall' });
  const { allow } = callbacks.senders;
  if (allow.length > 0) yield senders.ok(`callbacks are accepted from ${allow.length} network(s) alone`);
  else if (callbacks.auth !== 'none')
    yield senders.ok(`not set: callbacks from any address are proven by ${callbacks.auth}`);
}

function checkCodecKeys({ keys }: Config['codec'], isCluster: boolean): Finding {
  const check = createCheck('configuration', 'CODEC_KEYS');
  if (keys.length > 0) return check.ok(`${keys.length} key(s), ${keys[0]?.id} encrypts`);
  if (!isCluster) return check.skip('not set: npm start makes it');
  return check.fail('not set', { todo: 'handover worker and api need it: see docs/configuration.md' });
}

/**
 * The environment of a worker has no tokens, and is otherwise that of an api.
 * @param isApi it has CODEC_ENDPOINT_TOKEN, which no worker reads
 */
function checkTokens(
  tokens: Config['tokens'],
  { isCluster, isApi }: { isCluster: boolean; isApi: boolean },
): Finding {
  const check = createCheck('configuration', 'HANDOVER_TOKENS');
  if (tokens.length > 0) return check.ok(`${tokens.length} token(s)`);
  if (!isCluster) return check.skip('not set: npm start makes them');
  if (!isApi)
    return check.skip('not set: right for handover worker; handover api does not start without them');
  return check.fail('not set', { todo: 'handover api needs them: see docs/configuration.md' });
}

/** The audit has to name persons. @param tokens of HANDOVER_TOKENS */
export function* checkNames(tokens: Config['tokens']): Generator<Finding> {
  const nameless = tokens.filter(({ role, name }) => role !== 'viewer' && name === role);
  if (nameless.length === 0) return;
  yield createCheck('configuration', 'HANDOVER_TOKENS').warn(
    `${nameless.length} token(s) of staff or managers without a name: the audit has the role in its place`,
    { todo: 'write `role:token:name`, one for each person' },
  );
}
