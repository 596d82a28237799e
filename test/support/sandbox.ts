import { rm } from 'node:fs/promises';
import { createLogger } from '../../src/app/log.js';
import type { WireProfile } from '../../src/platform/profile.js';
import { loadProfile } from '../../src/platform/profiles/index.js';
import { type RunningSandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.js';
import { brokenInvariants } from './sandbox-invariants.js';
import { copyOfServerTemplate, copyOfTemplate } from './sandbox-template.js';

export const keys = {
  channel: 'test-channel-key',
  /** Company 11: products 301 and 302. */
  supplier: 'test-supplier-key',
  /** Company 12: products 303 and 304. */
  otherSupplier: 'test-other-supplier-key',
};

export interface TestSandbox extends RunningSandbox {
  profile: WireProfile;
  /** Stops it and starts it again on the same database, on another port. */
  restart(options?: Partial<SandboxOptions>): Promise<void>;
  /** Checks its invariants, stops it and removes its database. @throws when an invariant is broken */
  dispose(): Promise<void>;
}

/**
 * One sandbox on a free port. Its logs show errors only. Unless the options name a database, it has a fresh copy of the
 * seeded one: on the server of `HANDOVER_TEST_DATABASE_URL` where there is one, which is faster, embedded otherwise.
 */
export async function startTestSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const server = process.env.HANDOVER_TEST_DATABASE_URL;
  const isNamed = options.folder !== undefined || options.databaseUrl !== undefined;
  const copy = isNamed || server === undefined ? undefined : await copyOfServerTemplate(server);
  const databaseUrl = options.databaseUrl ?? copy?.url;
  const folder = options.folder ?? (databaseUrl === undefined ? await copyOfTemplate() : '');
  const profile = options.profile ?? (await loadProfile('default'));
  const start = (changed: Partial<SandboxOptions> = {}) =>
    startSandbox({
      host: '127.0.0.1',
      port: 0,
      folder,
      profile,
      keys: [
        { role: 'channel', key: keys.channel },
        { role: 'supplier', key: keys.supplier, companyId: 11 },
        { role: 'supplier', key: keys.otherSupplier, companyId: 12 },
      ],
      fleet: 'small',
      logger: createLogger('error'),
      ...options,
      databaseUrl,
      ...changed,
    });
  let running: RunningSandbox | undefined = await start();
  const current = (): RunningSandbox => {
    if (!running) throw new Error('the sandbox is stopped');
    return running;
  };
  const close = async () => {
    await running?.close();
    running = undefined;
  };
  return {
    profile,
    get url() {
      return current().url;
    },
    get port() {
      return current().port;
    },
    setCallback: (target) => current().setCallback(target),
    get time() {
      return current().time;
    },
    get db() {
      return current().db;
    },
    close,
    async restart(changed) {
      await close();
      running = await start(changed);
    },
    async dispose() {
      running ??= await start();
      const broken = await brokenInvariants(running.db, profile);
      await close();
      if (folder !== '') await rm(folder, { recursive: true, force: true });
      await copy?.drop();
      if (broken.length > 0) throw new Error(`the sandbox broke its invariants:\n${broken.join('\n')}`);
    },
  };
}
