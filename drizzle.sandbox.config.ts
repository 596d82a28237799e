import { defineConfig } from 'drizzle-kit';

/** `drizzle-kit generate --config drizzle.sandbox.config.ts --name what_changed`: the sandbox's next migration. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/sandbox/store/schema.ts',
  out: './src/sandbox/store/migrations',
  schemaFilter: ['sandbox'],
});
