import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startProgram } from '../child.js';

export interface Asking {
  url: string;
  path: string;
  token: string;
  perSecond: number;
  seconds: number;
}

/** Milliseconds from the moment when it was to be asked to the whole answer. */
export interface Asked {
  p50: number;
  p99: number;
  max: number;
  /** Of one answer. */
  bytes: number;
  statuses: Record<string, number>;
}

/** An open loop from a process of its own, so that it waits for nobody but who answers. */
export async function askAtRate(asking: Asking, folder: string): Promise<Asked> {
  const script = fileURLToPath(new URL('load-process.js', import.meta.url));
  const child = startProgram('load', script, [JSON.stringify(asking)], {
    ...{ folder, cpuProf: undefined, stdout: 'pipe' as const },
  });
  let text = '';
  child.stdout?.setEncoding('utf8');
  child.stdout?.on('data', (chunk: string) => {
    text += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error('the asker failed; its log is load.log');
  return JSON.parse(text) as Asked;
}
