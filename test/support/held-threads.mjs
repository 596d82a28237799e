// Loaded into a program of the product (NODE_OPTIONS). Files in the folder HELD_THREADS direct its threads: while `main` exists, the main
// thread does nothing else; `hang-receiver` and `hang-database` do that to another thread for good, `throw-…` ends it by an error.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const programs = { receiver: 'receiver/thread-program.js', database: 'embedded/thread/program.js' };
const [thread] = Object.entries(programs).find(([, program]) => process.argv[1]?.endsWith(program)) ?? [];
const file = (name) => join(process.env.HELD_THREADS ?? '', name);

function isOnce(name) {
  if (!existsSync(file(name))) return false;
  rmSync(file(name));
  return true;
}

function obey() {
  if (isMainThread) while (existsSync(file('main')));
  else if (isOnce(`hang-${thread}`)) for (;;);
  else if (isOnce(`throw-${thread}`)) throw new Error('the test ends this thread');
}

setInterval(obey, 20).unref();
