/** What a user chose in this browser. Storage may be off: then the choice lasts as long as the page. */
export function readPreference<Value extends string>(
  name: string,
  allowed: readonly Value[],
): Value | undefined {
  try {
    const stored = localStorage.getItem(`handover.${name}`);
    return allowed.find((value) => value === stored);
  } catch {
    return undefined;
  }
}

export function writePreference(name: string, value: string): void {
  try {
    localStorage.setItem(`handover.${name}`, value);
  } catch {
    // the page has the value
  }
}
