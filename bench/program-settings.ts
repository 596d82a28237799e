import { fileURLToPath } from 'node:url';
import { access } from './target.js';

/** How a build of the product is started. */
export interface Build {
  /** Path of its `handover` command. */
  script: string;
  /** Variables of the allocator that its `npm start` sets. */
  allocator: Record<string, string>;
}

/** The `handover` command of this build. */
export const ownScript = fileURLToPath(new URL('../src/cli.js', import.meta.url));

/** Of the allocator, as `npm start` and the image have them. */
export const allocator = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

/** Without the settings of this shell, because the bench measures the defaults. */
export function environment(): NodeJS.ProcessEnv {
  const ours =
    /^(HANDOVER|SANDBOX|PLATFORM|CALLBACK|TEMPORAL|DATABASE_URL|BLOB_URL|CODEC_KEYS|WIRE_PROFILE|LOG_LEVEL)/;
  const needed = ['TEMPORAL_CLI_PATH'];
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => needed.includes(name) || !ours.test(name)),
  );
}

/** The settings of a simulated platform, the same for both sides and the client. */
export function sandboxSettings(port: number | undefined, callbackUrl: string): Record<string, string> {
  return {
    SANDBOX_PORT: String(port),
    SANDBOX_KEYS: `channel:${access.channelKey},supplier:${access.supplierKey}:${access.companyId}`,
    SANDBOX_CALLBACK_SECRET: access.callbackSecret,
    SANDBOX_CALLBACK_URL: callbackUrl,
  };
}
