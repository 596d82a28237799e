/** How many shards the relay of a process has, by its log; null: it has not logged any. */
export function shardsIn(log: string): number | null {
  const last = shardEntries(log).at(-1)?.[1];
  return last === undefined ? null : last.split(',').filter((shard) => shard !== '').length;
}

/** Each time its shards changed. */
export function shardEntries(log: string): RegExpExecArray[] {
  return [...log.matchAll(/"shards":\[([\d,]*)\]/g)];
}
