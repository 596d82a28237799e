import { parseArgs } from 'node:util';
import { expect, it } from 'vitest';
import { describeFailure } from '../../src/app/startup/failure.js';

const options = { by: { type: 'string' }, json: { type: 'boolean' } } as const;

it.each([
  ['an option that is not known', ['--fast'], "Unknown option '--fast'"],
  ['one whose value is missing', ['--by'], "Option '--by <value>' argument missing"],
  ['one whose value may be another option', ['--by', '--json'], "Option '--by' argument is ambiguous"],
  ['one that has no value', ['--json=1'], "Option '--json' does not take an argument"],
  ['an argument too many', ['here'], "Unexpected argument 'here'"],
])('%s is reported in one sentence, with the command that lists the options', (_, args, sentence) => {
  const read = () => parseArgs({ args, options, allowPositionals: false });
  expect(read).toThrow();
  try {
    read();
  } catch (error) {
    expect(describeFailure(error)).toBe(`handover: ${sentence}; \`handover help\` lists the options`);
  }
});
