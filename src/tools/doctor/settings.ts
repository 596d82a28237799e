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
  const missing = [
    ...(codec.keys.length === 0 ? ['CODEC_KEYS'] : []),
    ...(tokens.length === 0 ? ['HANDOVER_TOKENS'] : []),
  ];
  const secrets = createCheck('configuration', 'keys and tokens');
  if (missing.length === 0)
    yield secrets.ok(
      `${codec.keys.length} codec key(s), ${codec.keys[0]?.id} encrypts; ${tokens.length} token(s)`,
    );
  else if (isCluster)
    yield secrets.fail(`${missing.join(' and ')} not set`, {
      todo: 'handover worker and api need them: see docs/configuration.md',
    });
  else yield secrets.skip(`${missing.join(' and ')} not set: npm start makes them`);

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

/** The audit has to name persons. @param tokens of HANDOVER_TOKENS */
export function* checkNames(tokens: Config['tokens']): Generator<Finding> {
  const nameless = tokens.filter(({ role, name }) => role !== 'viewer' && name === role);
  if (nameless.length === 0) return;
  yield createCheck('configuration', 'HANDOVER_TOKENS').warn(
    `${nameless.length} token(s) of staff or managers without a name: the audit has the role in its place`,
    { todo: 'write `role:token:name`, one for each person' },
  );
}
