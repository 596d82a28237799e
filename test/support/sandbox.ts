import { rm } from 'node:fs/promises';
import { createLogger } from '../../src/app/log.js';
import type { WireProfile } from '../../src/platform/profile.js';
import { loadProfile } from '../../src/platform/profiles/index.js';
import { type RunningSandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.js';
import { brokenInvariants } from './sandbox-invariants.js';
import { copyOfTemplate } from './sandbox-template.js';

export const keys = {
  channel: 'test-channel-key',
  /** Company 11: products 301 and 302. */
  supplier: 'test-supplier-key',
  /** Company 12: products 303 and 304. */
  otherSupplier: 'test-other-supplier-key',
};

export interface TestSandbox extends RunningSandbox {
  folder: string;
  profile: WireProfile;
  /** Stops it and starts it again on the same database, on another port. */
  restart(options?: Partial<SandboxOptions>): Promise<void>;
  /** Checks its invariants, stops it and removes its database. @throws when an invariant is broken */
  dispose(): Promise<void>;
}

/** One sandbox on a fresh copy of the seeded database, on a free port. Its logs show errors only. */
export async function startTestSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const folder = options.folder ?? (await copyOfTemplate());
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
    folder,
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
      await rm(folder, { recursive: true, force: true });
      if (broken.length > 0) throw new Error(`the sandbox broke its invariants:\n${broken.join('\n')}`);
    },
  };
}
