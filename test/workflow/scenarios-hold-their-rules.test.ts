import { expect, it } from 'vitest';
import { rehearseAll } from '../support/rehearsals.js';
import { representative } from '../support/representative-scenarios.js';
import { nameOf, scenarios } from '../support/stage.js';

rehearseAll('representative');

it('every representative scenario is there', () => {
  const skipping = scenarios.filter(({ real }) => !real).map(nameOf);
  expect(representative.filter((name) => !skipping.includes(name))).toEqual([]);
});
