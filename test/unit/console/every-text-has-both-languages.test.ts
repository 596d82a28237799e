import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { en } from '../../../console/texts/en.js';
import { ko } from '../../../console/texts/ko.js';
import { attentionKinds, statusCodes } from '../../../src/domain/reservation/index.js';
import { auditActions } from '../../../src/domain/shared/audit.js';

const values = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

describe('the texts of the console', () => {
  it.each(Object.keys(en) as (keyof typeof en)[])('%s names the same values in English and Korean', (key) => {
    expect(values(ko[key])).toEqual(values(en[key]));
    expect(en[key].trim()).not.toBe('');
    expect(ko[key].trim()).not.toBe('');
  });

  it('are all used: a key that is not of a code is written out somewhere', () => {
    const sources = readdirSync('console', { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('texts'))
      .map((path) => readFileSync(join('console', path), 'utf8'))
      .join('\n');
    const isUsed = (key: string) => key.includes(':') || sources.includes(`'${key}'`);
    expect(Object.keys(en).filter((key) => !isUsed(key))).toEqual([]);
  });

  it.each([...statusCodes])('has a name for status %s', (code) => {
    expect(en).toHaveProperty([`status:${code}`]);
  });

  it.each([...auditActions])('has a name for the audit’s action %s', (action) => {
    const keys = action.endsWith('.read') ? ['done.read'] : [`action:${action}`, `done:${action}`];
    expect(keys.some((key) => key in en)).toBe(true);
  });

  it.each([...attentionKinds])('has a name for the attention item %s', (kind) => {
    expect(en).toHaveProperty([`attention:${kind}`]);
  });
});
