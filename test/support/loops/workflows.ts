import { condition, sleep } from '@temporalio/workflow';

/** Loops in its first task: at once, after an await, or in a condition. */
export async function loops(where: string): Promise<void> {
  if (where === 'afterwards') await Promise.resolve();
  if (where !== 'condition') loop();
  let checks = 0;
  await condition(() => checks++ > 0 && loop());
}

function loop(): boolean {
  for (;;);
}

export async function ends(): Promise<string> {
  await sleep(10);
  return 'ended';
}
