import type { AnnouncedReservation } from '../../platform/model.js';

/**
 * Names of the fields whose form breaks the specification (L61): phones are digits only, birth dates `YYYYMMDD`.
 * Their values stay as received; only the names are passed on.
 */
export function malformedFields(reservation: AnnouncedReservation): string[] {
  const { driverPhone, driverBirth, companionInfo } = reservation;
  const checks: [string, boolean][] = [
    ['driverPhone', isPhone(driverPhone)],
    ['driverBirth', isBirth(driverBirth)],
    ['companionPhone', isPhone(companionInfo?.phone)],
    ['companionBirth', isBirth(companionInfo?.birth)],
  ];
  return checks.filter(([, wellFormed]) => !wellFormed).map(([name]) => name);
}

/** True also for an absent or unreadable value. */
function isPhone(value: string | null | undefined): boolean {
  if (value === null || value === undefined) return true;
  return /^\d+$/.test(value);
}

function isBirth(value: string | null | undefined): boolean {
  if (value === null || value === undefined) return true;
  const date = /^(\d{4})(\d{2})(\d{2})$/.exec(value)?.slice(1).join('-');
  if (date === undefined) return false;
  const midnight = Date.parse(`${date}T00:00:00.000Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
}
