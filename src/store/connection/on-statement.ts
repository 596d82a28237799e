/**
 * Called after each statement, transaction or commit. `pool`: which connections ran it (see `OpenDatabase`). `seconds`: with the
 * wait for a connection. `failed`: it threw.
 */
export type OnStatement = (statement: { pool: Pool; seconds: number; failed: boolean }) => void;

export const pools = ['long', 'prompt', 'commit'] as const;
type Pool = (typeof pools)[number];

type Measure = <R>(work: () => Promise<R>) => Promise<R>;

/** @returns a function that runs work and reports it; without `report` it only runs it */
export function measureStatements(report: OnStatement | undefined, pool: Pool): Measure {
  if (report === undefined) return (work) => work();
  return async (work) => {
    const began = performance.now();
    let failed = true;
    try {
      const result = await work();
      failed = false;
      return result;
    } finally {
      report({ pool, seconds: (performance.now() - began) / 1000, failed });
    }
  };
}
