import { expect, it } from 'vitest';
import { checkUnreleased } from '../support/golden.js';

it.each(['0.1.0', '0.2.0', '0.3.0'])('histories of %s, which is released, are refused', (version) => {
  expect(() => checkUnreleased(version)).toThrow(
    `Histories of ${version} are not recorded again: CHANGELOG.md lists it as released. Set the next version in package.json first.`,
  );
});

it.each(['0.3', '0.3.1-dev', '99.0.0'])(
  'histories of %s, which is not released, may be recorded',
  (version) => {
    expect(() => checkUnreleased(version)).not.toThrow();
  },
);
