/** The workflow types that a worker registers. */
export { booking } from './booking/workflow.js';
export { carWrite } from './car-write/workflow.js';
export { hold } from './hold/workflow.js';
export { reconciliation } from './reconciliation/workflow.js';
export { reservation } from './reservation/workflow.js';
export { role } from './role/workflow.js';
