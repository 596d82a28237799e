import { rehearseAll } from '../support/rehearsals.js';

rehearseAll([2, 3], 3);
