const atOnce = 4;

/** Runs it for each item, in their order, for four of them at a time: a page does not flood the service. */
export async function fourAtATime<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
