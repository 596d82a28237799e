/** A timestamp of the API (`…+0900`) as an instant. */
export function parse(stamp: string): number {
  return Date.parse(stamp.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
}
