/**
 * Resolves as `work` does; rejects where that takes longer than `ms`. The work itself is not ended.
 * @param late returns the error when the time is over
 */
export async function within<T>(
  ms: number,
  work: Promise<T>,
  late: () => Error = () => Object.assign(new Error('no answer in time'), { name: 'TimeoutError' }),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeIsUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([work, timeIsUp]);
  } finally {
    clearTimeout(timer);
  }
}
