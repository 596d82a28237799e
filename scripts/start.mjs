// npm start: installs and builds what is missing, then runs `handover up` in this process, so that a Ctrl-C reaches one
// program.
import './lib/node-version.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './lib/run.mjs';
import { setUp } from './lib/set-up.mjs';

await setUp();
process.setSourceMapsEnabled(true);
const cli = join(root, 'dist', 'src', 'cli.js');
process.argv = [process.execPath, cli, 'up', ...process.argv.slice(2)];
await import(pathToFileURL(cli).href);
