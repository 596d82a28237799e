import { eq } from 'drizzle-orm';
import { settings } from './schema.js';
import type { Executor } from './store.js';

export async function readSetting<T>(db: Executor, name: string): Promise<T | undefined> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.name, name));
  return row?.value as T | undefined;
}

export async function writeSetting(db: Executor, name: string, value: object): Promise<void> {
  await db
    .insert(settings)
    .values({ name, value })
    .onConflictDoUpdate({ target: settings.name, set: { value } });
}
