export { readScenario, type Scenario, ScenarioFileError } from './format/read.js';
export { type Rehearsal, runScenario } from './play/run.js';
export { timeSkippingEngine } from './stage/engine.js';
export { openStage, type Stage } from './stage/stage.js';
