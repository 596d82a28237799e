/**
 * Does some work for each item, for so many at once.
 * @param isStopping once it returns true nothing more is begun
 * @throws the first error; what is not begun by then may still be done
 */
export async function forEach<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
  isStopping: () => boolean = () => false,
): Promise<void> {
  const left = items.values();
  const lane = async () => {
    for (const item of left) {
      if (isStopping()) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
