/** What a phone field accepts: up to 20 digits, with spaces and dashes between them, as people write them. */
export const phonePattern = '[\\s\\-]*(?:[0-9][\\s\\-]*){1,20}';

/** The digits alone, as the platform takes them (G13). */
export function digitsOf(phone: string): string {
  return phone.replace(/[\s-]/g, '');
}
