/** What a person with this token may do: read; also act; also resolve unknown outcomes. */
export const accessRoles = ['viewer', 'staff', 'manager'] as const;

export type AccessRole = (typeof accessRoles)[number];

/** One entry of HANDOVER_TOKENS. `name` is the `by` of the audit. */
export interface AccessToken {
  role: AccessRole;
  token: string;
  name: string;
}

/** One entry of OIDC_ROLES: the members of a group have the role. */
export interface GroupRole {
  role: AccessRole;
  group: string;
}

/** The identity provider that persons log in with (OIDC_ISSUER). */
export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  roles: readonly GroupRole[];
  /** The origin at which browsers reach the console; the provider sends them back there. */
  consoleUrl: string;
}

/** The highest of some roles; undefined: there is none. */
export function highestRole(roles: readonly AccessRole[]): AccessRole | undefined {
  return accessRoles.findLast((role) => roles.includes(role));
}
