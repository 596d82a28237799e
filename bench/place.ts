/** `apart`: a server too, and callbacks have a port and a thread of their own (CALLBACK_PORT). */
const databases = ['pglite', 'postgres', 'apart'] as const;
export type Database = (typeof databases)[number];

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
