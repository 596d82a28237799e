/** `-apart`: callbacks have a port and a thread of their own (CALLBACK_PORT). */
const databases = ['pglite', 'pglite-apart', 'postgres', 'postgres-apart'] as const;
export type Database = (typeof databases)[number];

export const allDatabases = databases.join(',');
export const isApart = (name: Database): boolean => name.endsWith('-apart');
export const isEmbedded = (name: Database): boolean => name.startsWith('pglite');

/** @throws Error with the usage where one does not exist */
export function databasesOf(text: string, usage: string): Database[] {
  return text.split(',').map((name) => {
    const known = databases.find((one) => one === name);
    if (known === undefined)
      throw new Error(`--databases are ${databases.join(', ')}, not ${name}\n${usage}`);
    return known;
  });
}

/** Where the product runs. */
export interface Place {
  folder: string;
  databaseUrl?: string | undefined;
  /** Callbacks have a port and a thread of their own. */
  isApart: boolean;
}
