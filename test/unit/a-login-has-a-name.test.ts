import { expect, it } from 'vitest';
import { personName } from '../../src/api/session/oidc/person-name.js';

it.each([
  ['kim', { preferred_username: 'kim', email: 'kim@example.com', sub: '1' }],
  ['kim@example.com', { preferred_username: '  ', email: 'kim@example.com', sub: '1' }],
  ['Kim', { preferred_username: 7, email: '', name: '\u0000Kim\n', sub: '1' }],
  ['1', { name: '\u200b', sub: '1' }],
])('the audit names a person %s, never by a blank claim', (name, claims) => {
  expect(personName(claims)).toBe(name);
});

it('the name is one line of 100 characters at most', () => {
  expect(personName({ preferred_username: `a\nb${'가'.repeat(200)}` })).toBe(`a b${'가'.repeat(97)}`);
});
