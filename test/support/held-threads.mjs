// Loaded into a program of the product (NODE_OPTIONS): while a file `main` or `thread` exists in the folder HELD_THREADS, that thread of
// the program does nothing else; a file `throw` ends the latter by an error.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const folder = process.env.HELD_THREADS ?? '';
const held = join(folder, isMainThread ? 'main' : 'thread');
const thrown = join(folder, 'throw');

setInterval(() => {
  while (existsSync(held));
  if (isMainThread || !existsSync(thrown)) return;
  rmSync(thrown);
  throw new Error('the test ends this thread');
}, 20).unref();
