// npm run mutants: how many small changes of the domain its unit tests detect, and which ones they do not.
import { parseArgs } from 'node:util';
import { scoreOf } from './score.js';

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
    file: { type: 'string', default: '' },
  },
});
const sample = values.sample === 'all' ? Number.POSITIVE_INFINITY : Number(values.sample);
let counted = 0;
const { count, percent } = await scoreOf({
  sample,
  seed: Number(values.seed),
  file: values.file,
  onMutant({ file, line, original, mutated }, ending, ms) {
    counted += 1;
    if (process.stdout.isTTY) process.stdout.write(`\r${counted} of ${values.sample}`);
    if (ending !== 'failed')
      console.log(
        `\r${counted}: ${file}:${line} ${ending} (${(ms / 1000).toFixed(1)} s)\n  ${original}\n  ${mutated}`,
      );
  },
});
const classes = Object.entries(count).map(([ending, mutants]) => `${mutants} ${ending}`);
console.log(
  `\r${percent.toFixed(1)} % of ${counted} mutants detected (${classes.join(', ')}), seed ${values.seed}`,
);
