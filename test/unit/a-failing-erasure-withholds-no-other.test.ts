import { describe, expect, it, vi } from 'vitest';
import type { ErasedInTime } from '../../src/app/parts/erase-due.js';
import { type Named, OneByOne } from '../../src/app/parts/erase-one-by-one.js';
import { ErasureReport } from '../../src/app/parts/erasure-report.js';
import { grpcError } from '../support/grpc-error.js';

const never = () => false;
const named = (...ids: number[]): Named[] => ids.map((reservationId) => ({ reservationId }));
const idsOf = (batch: readonly Named[]) => batch.map(({ reservationId }) => reservationId);

describe('a batch of the retention', () => {
  it('is erased as one, and one by one where it fails', async () => {
    const error = new Error('always');
    const step = new OneByOne(async (batch) => {
      if (idsOf(batch).includes(2)) throw error;
      return idsOf(batch);
    }, never);
    expect(await step.run(named(4, 5))).toEqual([[4, 5]]);
    expect(await step.run(named(1, 2, 3))).toEqual([[1], [3]]);
    expect(step.failed).toEqual([{ reservationId: 2, error }]);
  });

  it('is given up where so many fail in a row that what they need is away', async () => {
    const erase = vi.fn(async (batch: readonly Named[]) => {
      if (batch.length > 1 || batch[0]?.reservationId !== 30) throw new Error('away');
      return 30;
    });
    const step = new OneByOne(erase, never);
    const all = named(...Array.from({ length: 100 }, (_, index) => index + 1));
    expect(await step.run(all)).toEqual([30]);
    expect(step.isGivenUp).toBe(true);
    // 29 before the one that was erased, and 50 after it
    expect(step.failed).toHaveLength(79);
    expect(erase).toHaveBeenCalledTimes(1 + 80);
  });

  it('counts nothing as failed that is closed under a retention that stops', async () => {
    let stopping = false;
    const step = new OneByOne(
      async () => {
        stopping = true;
        throw new Error('closed');
      },
      () => stopping,
    );
    expect(await step.run(named(1, 2))).toEqual([]);
    expect(step.failed).toEqual([]);
  });
});

describe('the report of the retention', () => {
  const nothing: ErasedInTime = {
    reservations: 0,
    photos: 0,
    texts: 0,
    photosLeft: [],
    refused: [],
    failed: [],
    unreadable: 0,
    lockedKeys: 0,
    isGivenUp: false,
  };
  const lines = () => {
    const logged: [object, string][] = [];
    const add = (details: object, text: string) => void logged.push([details, text]);
    return { logged, report: new ErasureReport({ info: add, warn: add } as never, 3_600_000) };
  };

  it('names ids and codes of what failed, and no text of an error', () => {
    const { logged, report } = lines();
    const error = Object.assign(new Error('Hong'), { code: 'ECONNREFUSED' });
    const away = grpcError(14);
    report.write({
      ...nothing,
      failed: [
        { reservationId: 1, error },
        { commandId: 'b-1', error: away },
      ],
    });
    const failed = [
      { reservationId: 1, code: 'ECONNREFUSED' },
      { commandId: 'b-1', code: 'UNAVAILABLE' },
    ];
    expect(logged).toEqual([[{ failures: 2, failed }, expect.stringContaining('failed')]]);
  });

  it('counts data keys that CODEC_KEYS cannot unwrap apart from what was erased', () => {
    const { logged, report } = lines();
    report.write({ ...nothing, lockedKeys: 3 });
    expect(logged).toEqual([
      [{ lockedKeys: 3 }, 'data keys are under a key that CODEC_KEYS lacks: put it back'],
    ]);
  });

  it('states why photos stay, each reason by itself', () => {
    const { logged, report } = lines();
    report.write({
      ...nothing,
      photosLeft: [
        { reservationId: 1, code: 'RESERVATION_OPEN' },
        { reservationId: 2, code: 'CASE_FILE_UNREADABLE' },
        { reservationId: 3, code: 'PHOTO_MAY_BE_SHARED' },
      ],
    });
    expect(logged).toEqual([
      [{ photosLeft: 1, reservations: [3] }, expect.stringContaining('does not answer')],
      [{ photosLeft: 1, reservations: [1] }, expect.stringContaining('runs again')],
      [{ photosLeft: 1, reservations: [2] }, expect.stringContaining('put the key back')],
    ]);
  });

  it('repeats a warning that stays the same after an hour alone, and one that changed at once', () => {
    vi.useFakeTimers();
    try {
      const { logged, report } = lines();
      for (const lockedKeys of [3, 3, 4, 4]) report.write({ ...nothing, lockedKeys });
      expect(logged).toHaveLength(2);
      vi.advanceTimersByTime(3_600_000);
      report.write({ ...nothing, lockedKeys: 4 });
      expect(logged).toHaveLength(3);
      for (const lockedKeys of [0, 4]) report.write({ ...nothing, lockedKeys });
      expect(logged).toHaveLength(4);
    } finally {
      vi.useRealTimers();
    }
  });
});
