import { describe, expect, it } from 'vitest';
import type { Callback } from '../../../console/api/types.js';
import { inPlace, listed, withOlder } from '../../../console/screens/callbacks/rows.js';

const page = (...ids: number[]) => ids.map((id) => ({ id }) as Callback);
const shown = ({ rows }: ReturnType<typeof listed>) => rows.map(({ row: { id }, is }) => `${id} ${is}`);

describe('the rows of the inbox', () => {
  const before = listed(page(9, 8, 7));

  it('stay where they are when newer callbacks arrive, which are counted', () => {
    const after = inPlace(before, page(11, 10, 9));
    expect(shown(after)).toEqual(['9 here', '8 here', '7 here']);
    expect(after.newer).toBe(2);
  });

  it('are marked when they no longer match, and not where the page merely ends above them', () => {
    expect(shown(inPlace(before, page(9, 7)))).toEqual(['9 here', '8 left', '7 here']);
    expect(shown(inPlace(before, page(10, 9)))).toEqual(['9 here', '8 here', '7 here']);
  });

  it('get older ones below, each once', () => {
    expect(shown(withOlder(before, page(7, 6)))).toEqual(['9 here', '8 here', '7 here', '6 here']);
  });

  it('appear by themselves in an empty list', () => {
    expect(shown(inPlace(listed([]), page(1)))).toEqual(['1 here']);
  });
});
