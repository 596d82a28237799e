import { readFileSync } from 'node:fs';
import type { Problem } from './problem.js';

type Env = Readonly<Record<string, string>>;

/**
 * Reads CODEC_KEYS from the file that CODEC_KEYS_FILE names, such as a secret that an orchestrator mounts. Entries are separated by
 * commas or line breaks. The file is read once, at the start.
 * @returns the environment with CODEC_KEYS
 */
export function withCodecKeysOfFile(env: Env): { env: Env; problems: Problem[] } {
  const { CODEC_KEYS_FILE: path, CODEC_KEYS: given } = env;
  if (path === undefined) return { env, problems: [] };
  const refuse = (message: string) => ({ env, problems: [{ variable: 'CODEC_KEYS_FILE', message }] });
  if (given !== undefined) return refuse('is set beside CODEC_KEYS; set one of them');
  try {
    const lines = readFileSync(path.trim(), 'utf8').split(/[\n,]/);
    const entries = lines.map((line) => line.trim()).filter((line) => line !== '');
    if (entries.length === 0) return refuse('names an empty file; give one `keyId:base64` on each line');
    return { env: { ...env, CODEC_KEYS: entries.join(',') }, problems: [] };
  } catch (error) {
    return refuse(`names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
