// npm run bench -- scale: a deployment with many open reservations, on the programs of docker-compose.yml with the real
// Temporal server. What a lifecycle costs must not depend on how many others are open.
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { headCommit } from './head-commit.js';
import { machine } from './machine.js';
import { isBusy } from './publish.js';
import { runBench } from './run.js';
import { figuresOf, type Source } from './scale/figures.js';
import { Measurement } from './scale/measure.js';
import { readFigures } from './scale/model/figures.js';
import { readScaleOptions, type ScaleOptions } from './scale/options.js';
import { checkScalePublishable, publishScale } from './scale/publish.js';
import type { ScaleReport } from './scale/report.js';
import { type Stage, startStage } from './scale/stage.js';
import { percent, tableOf } from './scale/table.js';
import { endOnSignal, removeOnSignal } from './signals.js';

let stage: Promise<Stage> | undefined;
const remove = () => stage?.then((started) => started.remove()).catch(() => {});
endOnSignal();
removeOnSignal(async () => remove());

await runBench(async () => {
  const options = readScaleOptions(process.argv.slice(2));
  const report = await bench(options, async (soFar) => {
    if (options.json !== undefined) await writeJson(options.json, soFar);
    if (options.figures !== undefined)
      await writeJson(options.figures, figuresOf(soFar, await readFigures(), await source()));
  });
  console.log(tableOf(report));
  for (const { open, others } of report.sizes.filter(isBusy))
    console.log(
      `${open} open: other programs took ${percent(others)} of the machine: do not compare its times.`,
    );
  if (options.publish) {
    checkScalePublishable(report);
    await publishScale(report);
  }
});
await remove();
process.exit();

async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** What the figures are of: this command, and the commit of the working tree. */
async function source(): Promise<Source> {
  // where the results go changes no figure
  const args = ['scale', ...process.argv.slice(2)]
    .join(' ')
    .replaceAll(/ --(?:json|figures) \S+| --publish/g, '');
  return { command: `npm run bench -- ${args}`, commit: await headCommit() };
}

/** @param save receives what is measured after each size, because the largest take hours */
async function bench(
  options: ScaleOptions,
  save: (soFar: ScaleReport) => Promise<void>,
): Promise<ScaleReport> {
  const { sizes, workers, lifecycles, concurrency } = options;
  const loadBefore = loadavg().map((load) => Number(load.toFixed(1)));
  const show = (text: string) => console.error(text);
  show('the programs of docker-compose.yml start');
  stage = startStage(workers);
  const measurement = new Measurement(await stage, options, show);
  try {
    const report: ScaleReport = {
      machine: { ...machine(), loadBefore },
      options: { workers, lifecycles, concurrency },
      sizes: [],
    };
    for (const size of sizes) {
      show(`${size.open} open reservations`);
      report.sizes.push(await measurement.at(size));
      await save(report);
    }
    return report;
  } finally {
    await measurement.close();
  }
}
