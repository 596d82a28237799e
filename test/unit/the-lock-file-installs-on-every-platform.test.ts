import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

const { missingPlatforms } = await import(pathToFileURL('scripts/lib/lock-file.mjs').href);

describe('the lock file', () => {
  it('names the optional packages of every platform (else: node scripts/complete-lock.mjs)', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    expect(Object.keys(missingPlatforms(packages))).toEqual([]);
  });

  it('gets a dropped platform back with its system, processor and C library', () => {
    const parent = {
      dev: true,
      optionalDependencies: { 'tool-linux-x64-musl': '1.2.3', 'tool-darwin-arm64': '1.2.3' },
    };
    const packages = {
      '': {},
      'node_modules/tool': parent,
      'node_modules/tool-darwin-arm64': { version: '1.2.3' },
    };
    expect(missingPlatforms(packages)).toEqual({
      'node_modules/tool-linux-x64-musl': {
        version: '1.2.3',
        cpu: ['x64'],
        libc: ['musl'],
        os: ['linux'],
        dev: true,
        optional: true,
      },
    });
  });
});
