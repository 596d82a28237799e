/** What a person with this token may do: read; also act; also resolve unknown outcomes. */
export const accessRoles = ['viewer', 'staff', 'manager'] as const;

export type AccessRole = (typeof accessRoles)[number];

/** One entry of HANDOVER_TOKENS. `name` is the `by` of the audit. */
export interface AccessToken {
  role: AccessRole;
  token: string;
  name: string;
}
