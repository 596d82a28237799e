export { readScenario, type Scenario } from './format/read.js';
export { people } from './play/people.js';
export { type Rehearsal, runScenario } from './play/run.js';
export type { Scene } from './play/scene.js';
export { toText as printed } from './print.js';
export { type StageEngine, timeSkippingEngine } from './stage/engine.js';
export { realServerEngine } from './stage/real-server.js';
export { openStage, type Stage } from './stage/stage.js';
