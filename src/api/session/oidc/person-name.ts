/**
 * The name of a person for the audit: of the claims the one that identifies the person best and is not blank.
 * @returns one line of 100 characters at most
 */
export function personName({ preferred_username, email, name, sub }: Record<string, unknown>): string {
  const lines = [preferred_username, email, name, sub].map((claim) =>
    typeof claim === 'string' ? claim.replaceAll(/\p{C}+/gu, ' ').trim() : '',
  );
  const given = lines.find((line) => line !== '') ?? '';
  return [...given].slice(0, 100).join('').trim();
}
