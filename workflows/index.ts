/** The workflow types that a worker registers. */
export { booking } from './booking.js';
export { carWrite } from './car-write.js';
export { hold } from './hold.js';
export { reconciliation } from './reconciliation.js';
export { reservation } from './reservation.js';
export { role } from './role.js';
