/** Activities of one queue that may run at once in a process. */
export const slots = { platform: 100, bookings: 20, scans: 8, database: 16 } as const;
