import { defineConfig } from 'drizzle-kit';

/** `npm run db:generate -- --name what_changed` writes the next migration of Handover's own database. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/store/schema.ts',
  out: './src/store/migrations',
});
