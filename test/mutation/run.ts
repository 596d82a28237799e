// npm run mutants: how many small changes of the domain its unit tests detect, and which ones they do not.
import { parseArgs } from 'node:util';
import { scoreOf } from './score.js';

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
let count = 0;
const { detected, undetected, percent } = await scoreOf({
  sample: Number(values.sample),
  seed: Number(values.seed),
  only: values.only,
  onMutant({ file, line, original, mutated }, isDetected, ms) {
    count += 1;
    if (process.stdout.isTTY) process.stdout.write(`\r${count} of ${values.sample}`);
    if (!isDetected)
      console.log(`\r${file}:${line} (${(ms / 1000).toFixed(1)} s)\n  ${original}\n  ${mutated}`);
  },
});
console.log(
  `\r${detected} of ${detected + undetected.length} mutants detected (${percent.toFixed(1)} %), seed ${values.seed}`,
);
