import { z } from 'zod';
import { type AccessToken, accessRoles, type GroupRole } from '../../api/http/access.js';
import type { CodecKey } from '../../store/sealing/codec-key.js';

/** One entry of SANDBOX_KEYS (G26, G27): a supplier key is bound to one company. */
export type SandboxKey =
  | { role: 'channel'; key: string }
  | { role: 'supplier'; key: string; companyId: number };

/** Characters of a token after `Bearer ` (RFC 9110, token68). */
const bearer = /^[A-Za-z0-9._~+/-]+=*$/;

/** Comma-separated entries; spaces around an entry and empty entries do not count. */
export const commaSeparated = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);

/** Entries hold secrets: a problem names an entry by its place, never by its text. */
export const accessTokens = commaSeparated.transform((entries, context): AccessToken[] => {
  const tokens = entries.map((entry, index) => {
    const [role, token, name, ...rest] = entry.split(':');
    const known = accessRoles.find((one) => one === role);
    if (known === undefined || token === undefined || !bearer.test(token) || rest.length > 0) {
      context.addIssue(
        `entry ${index + 1} is not \`role:token\` or \`role:token:name\`; the role is one of ${accessRoles.join(', ')}, ` +
          'the token letters, digits or . _ ~ + / -',
      );
      return undefined;
    }
    return { role: known, token, name: name === undefined || name === '' ? known : name };
  });
  const read = tokens.filter((token) => token !== undefined);
  if (new Set(read.map(({ token }) => token)).size < read.length) {
    context.addIssue('the same token appears twice; give each person a token of their own');
  }
  return read;
});

/** A group's name may hold anything but a comma. */
export const groupRoles = commaSeparated.transform((entries, context): GroupRole[] =>
  entries.flatMap((entry, index) => {
    const [, given, group] = /^([a-z]+):(.+)$/.exec(entry) ?? [];
    const role = accessRoles.find((one) => one === given);
    if (role !== undefined && group !== undefined) return [{ role, group }];
    context.addIssue(
      `entry ${index + 1} is not \`role:group\`; the role is one of ${accessRoles.join(', ')}`,
    );
    return [];
  }),
);

export const sandboxKeys = commaSeparated.transform((entries, context): SandboxKey[] => {
  const keys = entries.map((entry, index): SandboxKey | undefined => {
    const [role, key, companyId, ...rest] = entry.split(':');
    if (key !== undefined && bearer.test(key) && rest.length === 0) {
      if (role === 'channel' && companyId === undefined) return { role, key };
      if (role === 'supplier' && companyId !== undefined && /^[1-9]\d{0,14}$/.test(companyId)) {
        return { role, key, companyId: Number(companyId) };
      }
    }
    context.addIssue(`entry ${index + 1} is neither \`channel:key\` nor \`supplier:key:companyId\``);
    return undefined;
  });
  return keys.filter((key) => key !== undefined);
});

/** 32 bytes in base64. */
const aes256Key = /^[A-Za-z0-9+/]{43}=$/;

export const codecKeys = commaSeparated.transform((entries, context): CodecKey[] => {
  const keys = entries.map((entry, index): CodecKey | undefined => {
    const [id = '', key = '', ...rest] = entry.split(':');
    if (/^[A-Za-z0-9._-]{1,64}$/.test(id) && aes256Key.test(key) && rest.length === 0) {
      return { id, key: Buffer.from(key, 'base64') };
    }
    context.addIssue(
      `entry ${index + 1} is not \`keyId:base64\`: an id of letters, digits or . _ - and the base64 of 32 bytes, ` +
        'as `openssl rand -base64 32` makes it',
    );
    return undefined;
  });
  const read = keys.filter((key) => key !== undefined);
  if (new Set(read.map(({ id }) => id)).size < read.length) {
    context.addIssue('the same key id appears twice; give every key an id of its own');
  }
  return read;
});
