import { describe, expect, it } from 'vitest';
import { en } from '../../../console/texts/en.js';
import { ko } from '../../../console/texts/ko.js';
import { attentionKinds, statusCodes } from '../../../src/domain/reservation/index.js';

const values = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

describe('the texts of the console', () => {
  it.each(Object.keys(en) as (keyof typeof en)[])('%s names the same values in English and Korean', (key) => {
    expect(values(ko[key])).toEqual(values(en[key]));
    expect(en[key].trim()).not.toBe('');
    expect(ko[key].trim()).not.toBe('');
  });

  it.each([...statusCodes])('has a name for status %s', (code) => {
    expect(en).toHaveProperty([`status.${code}`]);
  });

  it.each([...attentionKinds])('has a name for the attention item %s', (kind) => {
    expect(en).toHaveProperty([`attention.${kind}`]);
  });
});
