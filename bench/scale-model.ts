// npm run bench -- scale-model: what a fleet needs, derived from the figures that the benches measured.
import { runBench } from './run.js';
import { readFigures } from './scale/model/figures.js';
import { help, readModelOptions } from './scale/model/options.js';
import { outputOf } from './scale/model/output.js';
import { runModel } from './scale/model/result.js';

await runBench(async () => {
  const options = readModelOptions(process.argv.slice(2));
  if (options === null) console.log(help());
  else {
    const result = runModel(await readFigures(options.figures), options);
    console.log(options.json ? JSON.stringify(result, null, 2) : outputOf(result, options));
  }
});
