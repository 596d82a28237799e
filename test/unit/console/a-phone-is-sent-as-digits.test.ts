import { describe, expect, it } from 'vitest';
import { digitsOf, phonePattern } from '../../../console/actions/phone.js';
import { phone } from '../../../src/platform/profiles/codecs/values.js';

// as the browser reads the attribute `pattern`
const accepts = (value: string) => new RegExp(`^(?:${phonePattern})$`, 'v').test(value);

describe('a phone number in a form', () => {
  it.each(['010-1234-5678', '01012345678', ' 010 1234 5678 '])(
    '%j is accepted and sent as digits',
    (value) => {
      expect(accepts(value)).toBe(true);
      expect(digitsOf(value)).toBe('01012345678');
      expect(phone.safeParse(digitsOf(value)).success).toBe(true);
    },
  );

  it.each(['', '-', 'call me', '+82 10 1234 5678', '1'.repeat(21)])(
    '%j is refused before it is sent',
    (value) => {
      expect(accepts(value)).toBe(false);
      expect(phone.safeParse(digitsOf(value)).success).toBe(false);
    },
  );
});
