const pattern = /^P(?:(\d+)W|(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?)$/;

/**
 * Reads an ISO 8601 duration of fixed length (weeks, days, hours, minutes, seconds; no months or years).
 * @returns milliseconds, or undefined where `text` is no such duration.
 */
export function parseDuration(text: string): number | undefined {
  const match = pattern.exec(text);
  if (match === null || !/\d/.test(text)) return undefined;
  const [weeks, days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  const wholeDays = (weeks ?? 0) * 7 + (days ?? 0);
  const wholeMinutes = (wholeDays * 24 + (hours ?? 0)) * 60 + (minutes ?? 0);
  return Math.round((wholeMinutes * 60 + (seconds ?? 0)) * 1000);
}
