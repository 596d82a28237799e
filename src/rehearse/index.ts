export { readScenario, type Scenario, ScenarioFileError } from './format/read.js';
export { people } from './play/people.js';
export { type Rehearsal, runScenario } from './play/run.js';
export type { Scene } from './play/scene.js';
export { printed } from './print.js';
export { realTimeEngine, type StageEngine, timeSkippingEngine } from './stage/engine.js';
export { openStage, type Stage } from './stage/stage.js';
