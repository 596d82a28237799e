import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TrustedSenders } from '../../src/api/http/trusted-senders.js';
import { loadConfig } from '../../src/app/config/index.js';

const rules = (allow: string, proxies = '') => {
  const config = loadConfig({ CALLBACK_ALLOW: allow, CALLBACK_PROXIES: proxies });
  const senders = new TrustedSenders(config.callbacks.senders);
  return (remoteAddress: string | undefined, forwardedFor: string | undefined): boolean => {
    const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
    return senders.of({ raw: { socket: { remoteAddress } } as IncomingMessage, headers }).isAllowed;
  };
};

describe('the address of a sender', () => {
  it('may be any address without a list', () => {
    const check = rules('');
    expect(check('203.0.113.9', undefined)).toBe(true);
    expect(check(undefined, undefined)).toBe(true);
  });

  it('lies in a range of the list, IPv4 or IPv6, also where IPv4 comes over an IPv6 socket', () => {
    const check = rules('203.0.113.0/24, 198.51.100.7, 2001:db8::/32');
    for (const good of [
      '203.0.113.0',
      '203.0.113.255',
      '::ffff:203.0.113.9',
      '198.51.100.7',
      '2001:db8:1::1',
    ])
      expect(check(good, undefined), good).toBe(true);
    for (const bad of ['203.0.114.0', '198.51.100.8', '::ffff:10.0.0.1', '2001:db9::1', '::1', undefined, ''])
      expect(check(bad, undefined), bad).toBe(false);
  });

  it('is the peer: X-Forwarded-For counts for nothing without a known proxy', () => {
    const check = rules('203.0.113.0/24');
    expect(check('10.0.0.1', '203.0.113.9')).toBe(false);
    expect(check('203.0.113.9', '10.0.0.1')).toBe(true);
  });

  it('is, behind known proxies, the last address that is none of them, whatever stands before it', () => {
    const check = rules('203.0.113.0/24', '10.0.0.0/8,fd00::/8');
    expect(check('10.0.0.1', '203.0.113.9')).toBe(true);
    expect(check('::ffff:10.0.0.1', ' 203.0.113.9:4711 , 10.0.0.2')).toBe(true);
    expect(check('fd00::1', '[2001:db8::1]:443')).toBe(false);
    expect(check('10.0.0.1', '203.0.113.9, 192.0.2.1')).toBe(false);
    expect(check('10.0.0.1', '203.0.113.9, nonsense')).toBe(false);
    expect(check('10.0.0.1', undefined)).toBe(false);
    expect(check('10.0.0.1', '')).toBe(false);
  });

  it('is read without failure from any header, and a forged beginning changes nothing', () => {
    const check = rules('203.0.113.0/24', '10.0.0.0/8');
    fc.assert(
      fc.property(fc.string(), fc.ipV4(), (text, real) => {
        const alone = check('10.0.0.1', real);
        expect(check('10.0.0.1', `${text},${real}`)).toBe(
          real.startsWith('10.') ? check('10.0.0.1', text) : alone,
        );
      }),
    );
  });
});

it('an entry that is no network is named by its place', () => {
  for (const wrong of [
    '203.0.113.0/33',
    'example.org',
    '1.2.3',
    '2001:db8::/129',
    '1.2.3.4/',
    '1.2.3.4/8/8',
    'fe80::1%eth0',
  ]) {
    expect(() => loadConfig({ CALLBACK_ALLOW: `10.0.0.1,${wrong}` }), wrong).toThrow(
      /CALLBACK_ALLOW .*entry 2 is no network/,
    );
  }
});
